import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { createSystemEffects } from "../../../platform/effects.ts";
import { git, hasGit, makeRepository, startGitService } from "../support/git-service.ts";
import { openDesk, publish, type TestDesk } from "../support/sample-event.ts";
import type { Hosting } from "./hosted-repository.ts";
import { createSharing } from "./sharing.ts";
import type { PackSharing } from "../sharing-types.ts";

const signal = new AbortController().signal;

interface HostedDesk {
  readonly desk: TestDesk;
  readonly sharing: PackSharing;
  readonly root: string;
  readonly minted: { readonly scope: string; readonly ttl: number }[];
  readonly requests: readonly string[];
  readonly log: ReturnType<typeof vi.fn>;
  /** Called whenever a repository is opened. */
  readonly world: { isOn: boolean; atOpen?: (() => void) | undefined };
}

/** A desktop with Git's own service as its hosting, and without delays in upkeep. */
async function openHost(): Promise<HostedDesk> {
  const root = await temporaryDirectory();
  const service = await startGitService({ root, token: "art_v1_write" });
  onTestFinished(() => service.close());
  const minted: HostedDesk["minted"] = [];
  const gitdirOf = (name: string): string => join(root, `${name}.git`);
  const hosting: Hosting = {
    namespace: {
      create(name) {
        makeRepository(gitdirOf(name));
        return Promise.resolve();
      },
      get: () => {
        const createToken = (scope: string, ttl: number) => {
          minted.push({ scope, ttl });
          const expiresAt = new Date(Date.now() + ttl * 1000).toISOString();
          return Promise.resolve({ plaintext: "art_v1_write", expiresAt });
        };
        return Promise.resolve({ createToken });
      },
      async delete(name) {
        await rm(gitdirOf(name), { recursive: true });
        return true;
      },
    },
    async open(name) {
      // Answers in a later turn of the event loop, as the real hosting does.
      await Promise.resolve();
      world.atOpen?.();
      const gitdir = gitdirOf(name);
      if (!existsSync(gitdir)) throw Object.assign(new Error("none"), { code: "NOT_FOUND" });
      return {
        gitdir,
        async receivePack(body) {
          const input = await buffer(body);
          return spawnSync("git", ["receive-pack", "--stateless-rpc", gitdir], { input }).stdout;
        },
      };
    },
    toLocalRemote: (name) => `${service.origin}/${name}.git`,
    toLanAddress: () => undefined,
  };
  const desk = await openDesk();
  const world: HostedDesk["world"] = { isOn: true };
  const log = vi.fn();
  const sharing = createSharing({
    ...desk,
    hosting: () => (world.isOn ? hosting : undefined),
    effects: {
      ...createSystemEffects(),
      log,
      // Every wait is short; real time passes, so that no loop spins.
      sleep: (ms, stop) => createSystemEffects().sleep(Math.min(ms, 20), stop),
    },
  });
  onTestFinished(() => sharing.close());
  return { desk, sharing, root, minted, requests: service.requests, log, world };
}

async function openGuest(): Promise<{ readonly desk: TestDesk; readonly sharing: PackSharing }> {
  const desk = await openDesk();
  const effects = { ...createSystemEffects(), log: vi.fn() };
  const sharing = createSharing({ ...desk, hosting: () => undefined, effects });
  onTestFinished(() => sharing.close());
  return { desk, sharing };
}

async function manifestsOf({ catalog }: TestDesk): Promise<readonly string[]> {
  const revisions = await catalog.listRevisions("plains", 100);
  return revisions.map(({ manifest }) => Buffer.from(manifest).toString("utf8"));
}

describe.skipIf(!hasGit)("sharing packs", () => {
  test("a shared event is updated with each revision, and another desktop gets it byte for byte", async () => {
    const { desk, sharing, root, minted } = await openHost();
    await publish(desk, { shade: 1 });
    const shared = await sharing.share("plains", { signal });
    expect(shared).toMatchObject({ event: "plains", status: "complete" });
    const invitation = await sharing.invite("plains", 600);
    expect(minted.at(-1)).toEqual({ scope: "read", ttl: 600 });

    const guest = await openGuest();
    const events: string[] = [];
    const got = await guest.sharing.get(invitation, { signal, onEvent: (id) => events.push(id) });
    expect(got).toEqual({ event: "plains", commit: shared.commit, status: "complete" });
    expect(events).toEqual(["plains"]);

    await publish(desk, { shade: 2 });
    await publish(desk, { shade: 3 });
    const there = join(root, "plains.git");
    await expect.poll(() => git(there, ["tag", "--list"]), { timeout: 15_000 }).toBe("rev/1\nrev/2\nrev/3");
    await expect.poll(async () => (await sharing.list())[0]?.shared?.pending).toBe(0);
    await guest.sharing.getAgain("plains", invitation.token, { signal });
    expect(await manifestsOf(guest.desk)).toEqual(await manifestsOf(desk));
    expect(await guest.sharing.list()).toMatchObject([
      {
        eventId: "plains",
        origin: "got",
        exportedSequence: 3,
        gotFrom: { address: invitation.address },
        shared: null,
      },
    ]);
    expect(await sharing.list()).toMatchObject([
      { eventId: "plains", origin: "own", exportedSequence: 3, shared: { problem: null }, gotFrom: null },
    ]);
    const remembered = await readFile(join(guest.desk.directory, "packs/sources.json"), "utf8");
    expect(remembered).toContain(invitation.address);
    expect(remembered).not.toContain("art_v1");
  });

  test("a copy that cannot be updated reports the reason once, and is updated as soon as possible", async () => {
    const { desk, sharing, root, log } = await openHost();
    await publish(desk, { shade: 1 });
    await sharing.share("plains", { signal });
    const there = join(root, "plains.git");
    const hook = join(there, "hooks/pre-receive");
    await writeFile(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await publish(desk, { shade: 2 });
    await expect
      .poll(async () => (await sharing.list())[0]?.shared?.problem, { timeout: 15_000 })
      .toMatch(/refuses the push/);
    expect((await sharing.list())[0]?.shared?.pending).toBe(1);
    await rm(hook);
    sharing.wake();
    await sharing.share("plains", { signal });
    await expect
      .poll(async () => (await sharing.list())[0]?.shared)
      .toMatchObject({ problem: null, pending: 0 });
    expect(log.mock.calls.filter(([level]) => level === "warn")).toHaveLength(1);
  });

  test("sharing that is stopped during an update stays stopped", async () => {
    const { desk, sharing, root, world } = await openHost();
    await publish(desk, { shade: 1 });
    await sharing.share("plains", { signal });
    const ended = Promise.withResolvers<Promise<void>>();
    world.atOpen = () => {
      world.atOpen = undefined;
      // The update is in progress, and only waits for this lookup.
      ended.resolve(sharing.unshare("plains"));
    };
    await publish(desk, { shade: 2 });
    await ended.promise;
    expect(existsSync(join(root, "plains.git"))).toBe(false);
    expect((await sharing.list())[0]?.shared).toBeNull();
    await sharing.share("plains", { signal });
    expect(existsSync(join(root, "plains.git"))).toBe(true);
  });

  test("starting, stopping and restarting to share an event creates no token and sends no request", async () => {
    const { desk, sharing, minted, requests } = await openHost();
    await publish(desk, { shade: 1 });
    await sharing.share("plains", { signal });
    await sharing.unshare("plains");
    await sharing.share("plains", { signal });
    expect(minted).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("sharing ends with its repository, and unknown events are reported", async () => {
    const { desk, sharing, root, world } = await openHost();
    await publish(desk, { shade: 1 });
    await expect(sharing.invite("plains", 600)).rejects.toThrow("The event plains is not shared.");
    await expect(sharing.unshare("plains")).rejects.toThrow("not shared");
    await expect(sharing.share("none", { signal })).rejects.toThrow("There is no event none.");
    await expect(sharing.getAgain("plains", undefined, { signal })).rejects.toThrow(
      "was not fetched from anywhere",
    );
    await sharing.share("plains", { signal });
    await sharing.unshare("plains");
    expect(existsSync(join(root, "plains.git"))).toBe(false);
    expect((await sharing.list())[0]?.shared).toBeNull();
    world.isOn = false;
    await expect(sharing.share("plains", { signal })).rejects.toThrow("Hosting is off");
    await sharing.close();
    await sharing.close();
  });
});
