import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isArtifactsError, toProblem } from "../artifacts-error.ts";
import { createObjectReader } from "../objects/hosted-object-reader.ts";
import { startGitServer } from "../support/transport-server.ts";
import { createGitRunner } from "./git-runner.ts";
import { findGit, parseGitVersion } from "./find-git.ts";
import { GitFailure, type GitRunner } from "./git-runner.ts";
import { endLeftovers, sweepRepository } from "./process-leftovers.ts";
import { openRunningRegistry } from "./running-registry.ts";

const { platform, env: environment } = process;
const availability = await findGit({ configured: "auto", environment, platform });
const withGit = describe.skipIf("missing" in availability);

let folder: string;
let runner: GitRunner;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "echotop-git-"));
  runner = createGitRunner({
    availability,
    runningDirectory: join(folder, "running"),
    environment,
    platform,
  });
});
afterEach(async () => {
  await runner.close();
  await rm(folder, { recursive: true, force: true });
});

const records = async (): Promise<readonly string[]> =>
  (await readdir(join(folder, "running"))).filter((name) => name.endsWith(".json"));

describe("finding Git", () => {
  test("the version is parsed from the output of builds of every system", () => {
    expect(parseGitVersion("git version 2.39.5 (Apple Git-154)\n")?.version).toBe("2.39.5");
    expect(parseGitVersion("git version 2.47.0.windows.2")).toMatchObject({ major: 2, minor: 47 });
    expect(parseGitVersion("fatal: not Git")).toBeUndefined();
  });

  test("without Git on PATH, the message says what to install on this system", async () => {
    for (const [system, words] of [
      ["linux", "apt install git"],
      ["win32", "winget install"],
      ["darwin", "xcode-select --install"],
    ] as const) {
      const found = await findGit({ configured: "auto", environment: { PATH: folder }, platform: system });
      expect(found).toMatchObject({ missing: expect.stringContaining(words) as string });
      expect("missing" in found && found.missing).not.toMatch(/[.]\s|\n/);
    }
  });

  test.skipIf(platform === "win32")("an old Git and another program have different messages", async () => {
    const fake = join(folder, "git");
    await writeFile(fake, "#!/bin/sh\necho git version 2.31.9\n");
    await chmod(fake, 0o755);
    const ask = () => findGit({ configured: fake, environment: {}, platform });
    expect(await ask()).toMatchObject({
      missing: expect.stringMatching(/^Git 2\.31\.9 is too old/) as string,
    });
    await writeFile(fake, "#!/bin/sh\nexit 3\n");
    expect(await ask()).toMatchObject({ missing: expect.stringMatching(/does not run/) as string });
    expect(await findGit({ configured: "auto", environment: { PATH: ":." }, platform })).toHaveProperty(
      "missing",
    );
  });

  test("without Git, running fails with a domain error", async () => {
    const none = createGitRunner({
      availability: { missing: "No Git." },
      runningDirectory: join(folder, "other"),
      environment,
      platform,
    });
    await expect(none.run({ args: ["version"] })).rejects.toSatisfy((error) =>
      isArtifactsError(error, "UPSTREAM_UNAVAILABLE"),
    );
    await none.close();
  });
});

withGit("running Git", () => {
  test("output is returned whole, a failure has status and stderr, and too much output is refused", async () => {
    expect((await runner.run({ args: ["version"] })).toString()).toMatch(/^git version/);
    await expect(runner.run({ args: ["hash-object", "--nope"] })).rejects.toBeInstanceOf(GitFailure);
    expect((await runner.run({ args: ["hash-object", "--stdin"], input: "x\n" })).toString()).toBe(
      "587be6b4c3f93f93c489c0111bba5596147a26cb\n",
    );
    await expect(runner.run({ args: ["help", "-a"], maxBytes: 10 })).rejects.toSatisfy((error) =>
      isArtifactsError(error, "MEMORY_LIMIT"),
    );
    expect(await records()).toEqual([]);
  });

  test("the user's environment, home and work tree do not affect Git", async () => {
    const hostile = join(folder, "hostile");
    await mkdir(hostile);
    await writeFile(
      join(hostile, ".gitconfig"),
      "[core]\n\thooksPath = /hostile\n[user]\n\tname = Hostile\n",
    );
    const planted = createGitRunner({
      availability,
      runningDirectory: join(folder, "clean"),
      environment: {
        ...environment,
        HOME: hostile,
        XDG_CONFIG_HOME: hostile,
        GIT_DIR: hostile,
        GIT_CONFIG_GLOBAL: join(hostile, ".gitconfig"),
        GIT_CONFIG_PARAMETERS: "'user.name=Hostile'",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "user.name",
        GIT_CONFIG_VALUE_0: "Hostile",
      },
      platform,
    });
    const config = (await planted.run({ args: ["config", "--list", "--show-scope"] })).toString();
    expect(config).not.toMatch(/hostile/i);
    expect(config).toContain("core.hookspath=");
    expect(config.split("\n").filter((line) => line !== "" && !line.startsWith("command"))).toEqual([]);
    await planted.close();
  });

  test("a running process is recorded, and an abort kills its whole group and removes the record", async () => {
    const controller = new AbortController();
    const child = runner.spawn({ args: ["hash-object", "--stdin"], signal: controller.signal });
    expect(await records()).toHaveLength(1);
    controller.abort();
    expect(await child.ended).toMatchObject({ status: null, signal: "SIGTERM" });
    expect(await records()).toEqual([]);
  });

  test("closing kills everything, and nothing starts afterwards", async () => {
    const child = runner.spawn({ args: ["hash-object", "--stdin"] });
    await runner.close();
    await expect(child.ended).resolves.toMatchObject({ status: null });
    expect(() => runner.spawn({ args: ["version"] })).toThrow("closing");
  });
});

withGit("with a full disk", () => {
  const fullDisk = Object.assign(new Error("ENOSPC: write '/srv/running'"), { code: "ENOSPC" });
  const message = "The repository could not be read or written: the disk is full.";
  let full: GitRunner;
  beforeEach(() => {
    const note = (): never => {
      throw fullDisk;
    };
    const runningDirectory = join(folder, "full");
    const registry = { note, forget: () => undefined };
    full = createGitRunner({ availability, runningDirectory, environment, platform, registry });
  });
  afterEach(() => full.close());

  test("objects cannot be read over REST, with status 507 and the reason", async () => {
    const read = createObjectReader(full).readBlob(folder, "a".repeat(40));
    await expect(read).rejects.toBe(fullDisk);
    expect(toProblem(fullDisk)).toEqual({ status: 507, code: 10_400, message });
  });

  test("Git clients have the same answer, and no process is left", async () => {
    const server = await startGitServer({ runner: full });
    const headers = { Authorization: "Bearer read-token" };
    const { status, body } = await server.http("/git/events/ev-a.git/info/refs?service=git-upload-pack", {
      headers,
    });
    expect([status, body.toString()]).toEqual([507, `${message}\n`]);
    await server.close();
  });
});

describe.skipIf(platform !== "linux")("after a crash", () => {
  const leftovers = () =>
    endLeftovers({
      runningDirectory: join(folder, "running"),
      repositoriesDirectory: join(folder, "git"),
      platform,
      log: () => undefined,
    });

  test("a marked process is killed, and another program with a recorded id is left alone", async () => {
    const run = "0123456789abcdef".repeat(2);
    const stranger = spawn("sleep", ["600"], { detached: true });
    const marked = spawn("sleep", ["600"], { detached: true, env: { ...environment, ECHOTOP_GIT_RUN: run } });
    const gone = new Promise((resolve) =>
      marked.once("exit", (_status, signal) => {
        resolve(signal);
      }),
    );
    const registry = openRunningRegistry(join(folder, "running"));
    registry.note(run, marked.pid!);
    registry.note("f".repeat(32), stranger.pid!);
    await writeFile(join(folder, "running", "cut.json"), '{"run":');
    expect(await leftovers()).toEqual({ ended: 1, removed: 0 });
    expect(await gone).toBe("SIGKILL");
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    expect(await records()).toEqual([]);
    stranger.kill("SIGKILL");
  });

  test("quarantine, unfinished packs and stale locks are removed; refs, packs and objects stay", async () => {
    const repository = join(folder, "git", "aaaaaaaaaaaaaaaa.git");
    const stale = [
      "objects/tmp_objdir-incoming-AbCdEf/pack/tmp_pack_x",
      "objects/pack/tmp_pack_AbCdEf",
      "objects/pack/.tmp-12-pack-x.idx",
      "objects/ab/tmp_obj_x",
      "packed-refs.lock",
      "HEAD.lock",
      "refs/heads/a/b.lock",
    ];
    const kept = ["HEAD", "packed-refs", "refs/heads/a/b", "objects/ab/cdef", "objects/pack/pack-1.pack"];
    for (const path of [...stale, ...kept]) {
      await mkdir(join(repository, path, ".."), { recursive: true });
      await writeFile(join(repository, path), "x");
    }
    expect(await leftovers()).toEqual({ ended: 0, removed: stale.length });
    for (const path of stale) expect(existsSync(join(repository, path))).toBe(false);
    for (const path of kept) expect(existsSync(join(repository, path))).toBe(true);
    expect(await sweepRepository(repository)).toBe(0);
  });
});
