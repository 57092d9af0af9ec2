import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { fetchPack, type FetchOptions } from "./fetch-pack.ts";
import {
  git,
  hasGit,
  startGitService,
  type GitService,
  type GitServiceOptions,
} from "../support/git-service.ts";
import { writeSamplePack } from "../support/sample-pack.ts";
import { defaultFetchLimits } from "./transfer-limits.ts";

const token = "art_v1_0123?expires=1800000000";
async function serve(
  options: Partial<GitServiceOptions> & { revisions?: number; tags?: boolean } = {},
): Promise<{ service: GitService; origin: string; main: string; there: string; here: string }> {
  const folder = mkdtempSync(join(tmpdir(), "echotop-fetch-"));
  const there = join(folder, "root/events/storm.git");
  const main = writeSamplePack({
    gitdir: there,
    revisions: options.revisions ?? 12,
    tags: options.tags ?? true,
  });
  const service = await startGitService({ root: join(folder, "root"), token, ...options });
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { service, origin: service.origin, main, there, here: join(folder, "here.git") };
}

const slept: number[] = [];
function transfer(origin: string, here: string, more: Partial<FetchOptions> = {}): FetchOptions {
  return {
    address: { url: `${origin}/events/storm.git`, certificateSha256: undefined },
    token,
    gitdir: here,
    effects: {
      random: () => 0.5,
      sleep: (ms) => {
        slept.push(ms);
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
    ...more,
  };
}

/** Returns the findings of stock Git on a repository that Echotop wrote. */
function check(here: string, main: string, revisions: number): void {
  git(here, ["fsck", "--full", "--strict"]);
  expect(git(here, ["rev-parse", "refs/heads/main"])).toBe(main);
  expect(git(here, ["tag", "--list", "rev/*"]).split("\n")).toHaveLength(revisions);
}

describe.skipIf(!hasGit)("fetching a pack from Git's own service", () => {
  test("fetches every revision, tag and branch, and is then up to date", async () => {
    const { origin, main, here, there } = await serve();
    const progress: number[] = [];
    const first = await fetchPack(
      transfer(origin, here, {
        onProgress: (done) => {
          progress.push(done);
        },
      }),
    );
    expect(first).toMatchObject({ commit: main, status: "complete" });
    expect(progress).toEqual([0, 1, 5, 12]);
    check(here, main, 12);
    expect(await fetchPack(transfer(origin, here))).toMatchObject({
      commit: main,
      status: "up to date",
      packs: 0,
    });
    const newer = writeSamplePack({ gitdir: there, from: 13, revisions: 14 });
    expect(await fetchPack(transfer(origin, here))).toMatchObject({
      commit: newer,
      status: "complete",
      packs: 2,
    });
    check(here, newer, 14);
  });

  test("fetches a branch without tags with its history, and a commit after the last tag", async () => {
    const { origin, main, here, there } = await serve({ tags: false });
    expect(await fetchPack(transfer(origin, here))).toMatchObject({ commit: main, packs: 1 });
    git(there, ["tag", "rev/12", main]);
    const newer = writeSamplePack({ gitdir: there, from: 13, revisions: 13, tags: false });
    expect(await fetchPack(transfer(origin, here))).toMatchObject({ commit: newer, packs: 1 });
    check(here, newer, 1);
  });

  test("continues after its last complete batch if the connection breaks", async () => {
    let cuts = 0;
    const { service, origin, main, here } = await serve({
      cutAfter: (request) => (request.url!.endsWith("/git-upload-pack") && ++cuts === 2 ? 5000 : undefined),
    });
    slept.length = 0;
    const { packs } = await fetchPack(transfer(origin, here));
    expect(slept).toEqual([750]);
    // Batches: 1, then 4 (interrupted), then 2, 8 and the last one.
    expect(packs).toBe(4);
    expect(service.requests.filter((line) => line.startsWith("POST"))).toHaveLength(5);
    check(here, main, 12);
  });

  test("gives up after three attempts without progress, and a later call uses what was received", async () => {
    let posts = 0;
    let isCut = true;
    const { service, origin, main, here } = await serve({
      cutAfter: (request) =>
        request.url!.endsWith("/git-upload-pack") && ++posts > 1 && isCut ? 1000 : undefined,
    });
    await expect(fetchPack(transfer(origin, here))).rejects.toThrow(/connection to the repository was cut/);
    expect(posts).toBe(1 + 3);
    expect(git(here, ["tag", "--list"])).toBe("rev/1");
    isCut = false;
    const before = service.requests.length;
    await fetchPack(transfer(origin, here));
    expect(service.requests.slice(before).filter((line) => line.startsWith("POST"))).toHaveLength(3);
    check(here, main, 12);
  });

  test.each([
    [{ token: "art_v1_4567" }, "invalid-input", /refuses the token/],
    [{ token: undefined }, "invalid-input", /refuses the token/],
    [{ limits: { ...defaultFetchLimits, maxBytes: 20_000 } }, "conflict", /larger than/],
  ] as const)("refuses %j with a message", async (more, code, sentence) => {
    const { origin, here } = await serve();
    const failure: unknown = await fetchPack(transfer(origin, here, more)).catch((error: unknown) => error);
    expect(isAppError(failure, code)).toBe(true);
    expect(String(failure)).toMatch(sentence);
    expect(String(failure)).not.toContain("4567");
  });

  test("stops on an abort and keeps what was received", async () => {
    const aborting = new AbortController();
    const { origin, main, here } = await serve();
    const fetching = fetchPack(
      transfer(origin, here, {
        signal: aborting.signal,
        onProgress: (done) => {
          if (done === 5) aborting.abort(new Error("enough"));
        },
      }),
    );
    await expect(fetching).rejects.toThrow("enough");
    expect(readdirSync(join(here, "objects/pack")).filter((name) => name.endsWith(".idx"))).toHaveLength(2);
    await fetchPack(transfer(origin, here));
    check(here, main, 12);
  });

  test("leaves few packs after many small fetches", async () => {
    const { origin, here, there } = await serve({ revisions: 1 });
    for (let sequence = 2; sequence <= 19; sequence++) {
      await fetchPack(transfer(origin, here));
      writeSamplePack({ gitdir: there, from: sequence, revisions: sequence });
    }
    const { commit } = await fetchPack(transfer(origin, here));
    expect(readdirSync(join(here, "objects/pack")).length).toBeLessThan(2 * 6);
    check(here, commit, 19);
  });
});
