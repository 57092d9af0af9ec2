import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { pushPack } from "./push-pack.ts";
import {
  git,
  hasGit,
  makeRepository,
  startGitService,
  type GitService,
  type GitServiceOptions,
} from "../support/git-service.ts";
import { writeSamplePack } from "../support/sample-pack.ts";
import type { RemoteOptions } from "./transfer-limits.ts";

const token = "art_v1_0123?expires=1800000000";
async function prepare(options: Partial<GitServiceOptions> = {}): Promise<{
  readonly service: GitService;
  readonly here: string;
  readonly there: string;
  readonly main: string;
  readonly push: (more?: Partial<RemoteOptions>) => ReturnType<typeof pushPack>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "echotop-push-"));
  const here = join(folder, "here.git");
  const there = join(folder, "root/storm.git");
  const main = writeSamplePack({ gitdir: here, revisions: 12 });
  makeRepository(there);
  git(there, ["config", "receive.fsckObjects", "true"]);
  const service = await startGitService({ root: join(folder, "root"), token, ...options });
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const push = (more: Partial<RemoteOptions> = {}): ReturnType<typeof pushPack> =>
    pushPack({
      address: { url: `${service.origin}/storm.git`, certificateSha256: undefined },
      token,
      gitdir: here,
      effects: { random: () => 0.5, sleep: () => Promise.resolve() },
      signal: new AbortController().signal,
      ...more,
    });
  return { service, here, there, main, push };
}

function check(there: string, main: string, revisions: number): void {
  git(there, ["fsck", "--full", "--strict"]);
  expect(git(there, ["rev-parse", "refs/heads/main"])).toBe(main);
  expect(git(there, ["tag", "--list", "rev/*"]).split("\n")).toHaveLength(revisions);
}

function postsOf({ requests }: GitService): number {
  return requests.filter((line) => line.startsWith("POST")).length;
}

describe.skipIf(!hasGit)("pushing a pack to Git's own service", () => {
  test("sends every revision with its tag, then only new ones", async () => {
    const { push, here, there, main } = await prepare();
    const progress: number[] = [];
    const first = await push({
      onProgress: (done) => {
        progress.push(done);
      },
    });
    expect(first).toMatchObject({ commit: main, status: "complete", packs: 3 });
    expect(progress).toEqual([0, 1, 5, 12]);
    check(there, main, 12);
    expect(await push()).toEqual({ commit: main, status: "up to date", packs: 0, byteLength: 0 });
    const newer = writeSamplePack({ gitdir: here, from: 13, revisions: 13 });
    const next = await push();
    expect(next).toMatchObject({ commit: newer, status: "complete", packs: 1 });
    // One revision with frames that cannot be compressed, and the folders that contain it.
    expect(next.byteLength).toBeLessThan(12_000);
    check(there, newer, 13);
  });

  test("continues after its last complete batch if the connection breaks", async () => {
    let posts = 0;
    const { push, there, main, service } = await prepare({
      intercept: (request) => {
        if (!request.url!.endsWith("/git-receive-pack") || ++posts !== 2) return false;
        request.socket.destroy();
        return true;
      },
    });
    expect(await push()).toMatchObject({ status: "complete", packs: 4 });
    expect(postsOf(service)).toBe(5);
    check(there, main, 12);
  });

  test("counts a batch once if its response was lost", async () => {
    let posts = 0;
    const { push, there, main } = await prepare({
      cutAfter: (request) => (request.url!.endsWith("/git-receive-pack") && ++posts === 2 ? 5 : undefined),
    });
    expect(await push()).toMatchObject({ status: "complete" });
    check(there, main, 12);
  });

  test("adds missing tags to existing revisions", async () => {
    const { push, there, main } = await prepare();
    await push();
    git(there, ["tag", "--delete", "rev/3", "rev/12"]);
    expect(await push()).toMatchObject({ status: "complete", packs: 1 });
    check(there, main, 12);
  });

  test("refuses a repository with other revisions and changes nothing there", async () => {
    const { push, here, there } = await prepare();
    await push();
    const before = git(there, ["for-each-ref"]);
    git(here, ["update-ref", "refs/heads/main", git(here, ["commit-tree", "-m", "other", "HEAD^{tree}"])]);
    await expect(push()).rejects.toThrow(/has other revisions than this pack/);
    git(here, ["update-ref", "refs/heads/main", "refs/tags/rev/12"]);
    git(here, ["tag", "--force", "rev/3", "rev/4"]);
    await expect(push()).rejects.toThrow(/another commit as rev\/3/);
    expect(git(there, ["for-each-ref"])).toBe(before);
  });

  test("reports a damaged local pack", async () => {
    const { push, here } = await prepare();
    const tip = git(here, ["rev-parse", "rev/12^{tree}"]);
    const lost = git(here, ["commit-tree", "-m", "lost", "-p", "main", tip]);
    const next = git(here, ["commit-tree", "-m", "next", "-p", lost, tip]);
    git(here, ["update-ref", "refs/heads/main", next]);
    rmSync(join(here, "objects", lost.slice(0, 2), lost.slice(2)));
    const failure: unknown = await push().catch((error: unknown) => error);
    expect(isAppError(failure, "stored-data-invalid")).toBe(true);
    expect(String(failure)).toContain("The pack here is damaged. It is missing");
  });

  test("passes through the message of a repository that refuses", async () => {
    const { push, there } = await prepare();
    const hook = join(there, "hooks/update");
    writeFileSync(hook, '#!/bin/sh\ncase "$1" in */rev/2) exit 1;; esac\n', { mode: 0o755 });
    const failure: unknown = await push().catch((error: unknown) => error);
    expect(isAppError(failure, "conflict")).toBe(true);
    expect(String(failure)).toMatch(/refuses the push.*refs\/\S+ \(.*(hook declined|atomic)/);
    expect(git(there, ["tag", "--list"])).toBe("rev/1");
  });

  test.each([
    [401, "invalid-input", /refuses the token/],
    [403, "invalid-input", /not allow this with this token. It says: read-only \[31mfor you/],
    [404, "not-found", /no repository/],
    [413, "conflict", /of this size/],
    [429, "upstream-rate-limited", /try again later/],
    [302, "upstream-unavailable", /another address/],
    [500, "upstream-unavailable", /status 500/],
  ] as const)("explains status %i", async (status, code, sentence) => {
    const { push } = await prepare({
      intercept: (_request, response) => {
        response.writeHead(status, { "content-type": "text/plain", location: "/other.git" });
        response.end("read-only \u001b[31mfor\nyou");
        return true;
      },
    });
    const failure: unknown = await push().catch((error: unknown) => error);
    expect(isAppError(failure, code)).toBe(true);
    expect(String(failure)).toMatch(sentence);
  });

  test.each(["<html>hello</html>", "", "0000", "001f# service=git-receive-pack\nzzzz"])(
    "reports that %j is not a Git service",
    async (body) => {
      const { push } = await prepare({
        intercept: (_request, response) => {
          response.writeHead(200, { "content-type": "text/html" }).end(body);
          return true;
        },
      });
      await expect(push()).rejects.toThrow(/No Git repository answers/);
    },
  );
});
