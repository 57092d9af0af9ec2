import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { watch } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refuseBusy } from "./git-refusal.ts";
import type { GitRunner } from "./git-runner.ts";
import { sweepRepository } from "./process-leftovers.ts";
import { createRepacker, type Repacker, type RepackOptions } from "./repack.ts";
import { createSlots, type Slots } from "../../../platform/locks/slots.ts";
import { machineGit, startGitServer, type TestServer } from "../support/transport-server.ts";

const id = "0123456789abcdef";
const patient = { timeout: 20_000 };

describe.skipIf("missing" in machineGit)("many packs (needs Git)", () => {
  let server: TestServer;
  let work: string;
  let slots: Slots;
  let repacker: Repacker;
  let logged: string[];

  beforeEach(async () => {
    server = await startGitServer({ maxPacks: 1000 });
    work = join(server.folder, "work");
    await server.git(["init", "--quiet", "--initial-branch=main", work]);
    slots = createSlots({ total: 8, perKey: 1, waiting: 64 }, refuseBusy);
    logged = [];
    repacker = makeRepacker();
  });
  afterEach(async () => {
    await repacker.close();
    await server.close();
  });

  function makeRepacker(options: Partial<RepackOptions> = {}): Repacker {
    return createRepacker({
      ...{ runner: server.runner, slots, maxPacks: 4, ...options },
      log: (level, message) => logged.push(`${level}: ${message}`),
    });
  }

  async function push(times: number, remote = server): Promise<void> {
    for (let index = 0; index < times; index += 1) {
      await writeFile(join(work, `${randomBytes(4).toString("hex")}.png`), randomBytes(2000));
      await server.git(["-C", work, "add", "."]);
      await server.git(["-C", work, "commit", "--quiet", "-m", "revision"]);
      expect(await server.git(["-C", work, "push", remote.remote(), "main"])).toMatchObject({ status: 0 });
    }
  }

  const packs = async (of = server): Promise<number> =>
    (await readdir(join(of.repository, "objects", "pack"))).filter((name) => name.endsWith(".pack")).length;
  const inRepository = (...args: string[]) => server.git(["--git-dir", server.repository, ...args]);
  const target = () => ({ id, name: "events/ev-a", directory: server.repository });
  /** Resolves when no repack runs or waits. */
  async function settled(): Promise<void> {
    await turn();
    const release = await slots.take(id, AbortSignal.timeout(10_000));
    release();
  }

  test("become few after a push, with every object kept, even unreachable ones", async () => {
    await push(5);
    const dropped = (await inRepository("rev-parse", "main")).out.trim();
    await server.git(["-C", work, "reset", "--quiet", "--hard", "HEAD~1"]);
    await server.git(["-C", work, "push", "--force", server.remote(), "main"]);
    repacker.afterPush(target());
    await vi.waitFor(async () => {
      expect(await packs()).toBe(1);
    }, patient);
    await settled();
    expect((await inRepository("fsck", "--full", "--strict")).status).toBe(0);
    expect((await inRepository("cat-file", "-t", dropped)).out).toBe("commit\n");
    expect(await server.strays()).toEqual([]);
    expect(logged).toEqual([]);
  });

  test("stay while they are few", async () => {
    await push(4);
    repacker.afterPush(target());
    await settled();
    await repacker.close();
    expect(await packs()).toBe(4);
  });

  test("are combined while clients push and clone, and no clone fails", async () => {
    const busy = await startGitServer({ maxPacks: 3 });
    const pushing = { on: true };
    const pushed = push(16, busy).finally(() => {
      pushing.on = false;
    });
    let clones = 0;
    for (; pushing.on; clones += 1) {
      const copy = join(busy.folder, `clone-${clones}`);
      const args = ["clone", "--quiet", "--bare", busy.remote("read-token"), copy];
      expect(await busy.git(args)).toMatchObject({ status: 0 });
    }
    await pushed;
    expect(clones).toBeGreaterThan(2);
    await vi.waitFor(async () => {
      expect(await packs(busy)).toBeLessThanOrEqual(5);
    }, patient);
    expect(busy.log).toEqual([]);
    expect((await busy.git(["--git-dir", busy.repository, "fsck", "--full"])).status).toBe(0);
    await busy.close();
  }, 60_000);

  test("wait for a running push, and stop when the repository is deleted", async () => {
    await push(5);
    const release = await slots.take(id, new AbortController().signal);
    repacker.afterPush(target());
    await turn();
    await repacker.end(id);
    release();
    await settled();
    expect(await packs()).toBe(5);
    expect(logged).toEqual([]);
  });

  test("deletion and closing kill a running Git, and its leftovers are removed", async () => {
    await push(5);
    for (const end of ["end", "close"] as const) {
      const begun = Promise.withResolvers<undefined>();
      const watched: GitRunner = {
        ...server.runner,
        run: (command) => {
          begun.resolve(undefined);
          return server.runner.run(command);
        },
      };
      repacker = makeRepacker({ runner: watched });
      repacker.afterPush(target());
      await begun.promise;
      await repacker[end](id);
      const running = await readdir(join(server.folder, "running"));
      expect(running.filter((name) => name.endsWith(".json"))).toEqual([]);
      expect(await server.strays()).toEqual([]);
    }
    expect(logged).toEqual([]);
    expect((await inRepository("fsck", "--full")).status).toBe(0);
  });

  test("a failure is logged, leaves the repository valid, and is not repeated after every push", async () => {
    await push(5);
    let runs = 0;
    const failing: GitRunner = {
      ...server.runner,
      run: async () => {
        runs += 1;
        await writeFile(join(server.repository, "objects", "pack", ".tmp-1-pack-0.pack"), "half");
        throw new Error("disk full");
      },
    };
    repacker = makeRepacker({ runner: failing });
    for (let times = 0; times < 3; times += 1) {
      repacker.afterPush(target());
      await vi.waitFor(() => {
        expect(logged).toEqual(["warn: The packs of a repository could not be combined"]);
      }, patient);
      await settled();
    }
    expect(runs).toBe(1);
    expect(await server.strays()).toEqual([]);
    expect((await inRepository("fsck", "--full")).status).toBe(0);
  });

  test("a repack that takes too long is killed and logged", async () => {
    await push(5);
    repacker = makeRepacker({ limitMs: 0 });
    repacker.afterPush(target());
    await vi.waitFor(() => {
      expect(logged).toHaveLength(1);
    }, patient);
    expect((await inRepository("fsck", "--full")).status).toBe(0);
  });

  test.skipIf(process.platform === "win32")(
    "a crash at any moment leaves a sound repository once it was swept",
    async () => {
      await push(8);
      for (const changes of [1, 2, 4, 6, 8, 11, 14, 18, 24]) {
        const copy = join(server.folder, `copy-${changes}`);
        await server.git(["clone", "--quiet", "--mirror", "--local", server.repository, copy]);
        await killAfter(changes, copy);
        await sweepRepository(copy);
        expect(await server.git(["--git-dir", copy, "fsck", "--full"])).toMatchObject({ status: 0 });
        const names = await readdir(join(copy, "objects", "pack"));
        expect(names.filter((name) => !/^pack-[0-9a-f]{40}\.(?:pack|idx)$/.test(name))).toEqual([]);
      }
    },
    30_000,
  );

  /** Kills a repack with all its children after a number of changes to the folder of packs. */
  async function killAfter(changes: number, directory: string): Promise<void> {
    const args = ["--git-dir", directory, "repack", "--geometric=2", "-d", "-n", "-q"];
    const watcher = watch(join(directory, "objects", "pack"));
    const child = spawn("git", args, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
    let left = changes;
    watcher.on("change", () => {
      left -= 1;
      if (left !== 0) return;
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch (error) {
        // It has already ended.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    });
    // The pipe closes when the last process of the group ends.
    await new Promise((resolve) => child.once("close", resolve));
    watcher.close();
  }
});
