// An interrupt of the whole process group, as a terminal sends it to a host under npm while Git works: everything ends,
// and the next start finds no leftovers.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { makeTemporaryDirectory, projectRoot, removeDirectory } from "../../electron/support/host-process.ts";
import { commitFiles, git, gitOk, hasGit, makeWorkTree } from "./git.ts";
import { createRepository, startHosting, type CreatedRepository, type Hosting } from "./hosting.ts";
import { hasCurl } from "../support/curl.ts";
import { pushRequest } from "./push-bytes.ts";
import { openRelay } from "./relay.ts";

const hasNpm = spawnSync("npm", ["--version"]).status === 0;
const canRun = hasGit && hasCurl && hasNpm && process.platform === "linux";

interface Prepared extends CreatedRepository {
  readonly hosting: Hosting;
  readonly tree: string;
  /** A pack of all its objects. */
  readonly pack: Uint8Array;
}

/** Creates a repository of 16 MB on a host that has ended. */
async function prepare(): Promise<Prepared> {
  const hosting = await startHosting();
  onTestFinished(() => hosting.stop());
  const created = await createRepository(hosting, { name: "ev-group" });
  const tree = await makeWorkTree(join(hosting.folder, "tree"), created.remote);
  const noise = new Uint8Array(16 * 1024 * 1024);
  const random = createRandom(4);
  for (let at = 0; at < noise.length; at += 1) noise[at] = random() * 256;
  await commitFiles(tree, { "noise.bin": noise }, "noise");
  await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: created.token });
  const packed = await git(["pack-objects", "--stdout", "--revs", "-q"], { cwd: tree, input: "HEAD\n" });
  expect(await hosting.host().stop()).toBe(0);
  return { ...created, hosting, tree, pack: packed.stdout };
}

/** Records how the host itself ends: npm and its shell end by the signal. */
const exitNote = (file: string): string => `
  import { writeFileSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread && process.argv[2] === "serve")
    process.on("exit", (status) => writeFileSync(${JSON.stringify(file)}, String(status)));
`;

/** The command line of a user, in its own process group. */
async function serveUnderNpm({ folder, data, api }: Hosting) {
  const config = join(folder, "npm.json");
  const exitFile = join(folder, "exit-status");
  const note = join(folder, "note-exit.mjs");
  writeFileSync(note, exitNote(exitFile));
  writeFileSync(config, JSON.stringify({ repositories: { port: Number(new URL(api).port) } }));
  const args = ["serve", "--data", data, "--port", "0", "--no-open", "--config", config];
  const npm = spawn("npm", ["run", "-s", "echotop", "--", ...args], {
    cwd: projectRoot,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(note).href}` },
  });
  let said = "";
  npm.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  // The pipes close only when the host has closed them too.
  const ended = new Promise<unknown>((resolve, reject) => {
    npm.once("error", reject);
    npm.once("close", (status, signal) => {
      resolve(status ?? signal);
    });
  });
  const failed = ended.then((status) => {
    throw new Error(`npm ended with ${String(status)}: ${said}`);
  });
  failed.catch(() => undefined);
  await Promise.race([new Promise((resolve) => createInterface(npm.stdout).once("line", resolve)), failed]);
  return { group: -npm.pid!, ended, said: () => said, exitStatus: () => readFileSync(exitFile, "utf8") };
}

/** Returns the command lines of processes that work in a folder or have it as an argument. */
function processesOf(folder: string): string[] {
  const read = (pid: string, file: string): string => {
    try {
      return file === "cwd"
        ? readlinkSync(`/proc/${pid}/cwd`)
        : readFileSync(`/proc/${pid}/${file}`, "latin1");
    } catch {
      // It has ended, or belongs to another user.
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => ["cmdline", "cwd", "environ"].some((file) => read(pid, file).includes(folder)))
    .map((pid) => read(pid, "cmdline").replaceAll("\0", " ").trim())
    .filter((line) => line !== "");
}

/** Starts a push whose pack stalls in the middle; resolves when the connection is closed. */
function pushHalf({ remote, token, pack }: Prepared, head: string): Promise<unknown> {
  const update = { ref: "refs/heads/half", to: head };
  const body = pushRequest([update], pack.subarray(0, pack.length / 2));
  return new Promise((resolve) => {
    const push = request(`${remote}/git-receive-pack`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-git-receive-pack-request",
      },
    });
    push.on("error", resolve);
    push.on("close", resolve);
    push.write(body);
  });
}

describe.skipIf(!canRun)("an interrupt (needs Linux, Git, curl and npm)", () => {
  test("of the whole group ends the host and Git during a clone and a push, and leaves nothing", async () => {
    const prepared = await prepare();
    const { hosting, tree, token, remote, id } = prepared;
    const head = await gitOk(["rev-parse", "HEAD"], { cwd: tree });
    const listRunning = (): string[] =>
      readdirSync(join(hosting.data, "repositories", "running")).filter((name) => name.endsWith(".json"));
    const { group, ended, said, exitStatus } = await serveUnderNpm(hosting);

    const elsewhere = makeTemporaryDirectory("clone");
    onTestFinished(() => {
      removeDirectory(elsewhere);
    });
    const relay = await openRelay(Number(new URL(hosting.api).port));
    onTestFinished(() => relay.close());
    const held = relay.holdAfter(1024 * 1024);
    const address = remote.replace(/^http:\/\/127\.0\.0\.1:\d+/, relay.origin);
    const cloning = git(["clone", "--quiet", address, join(elsewhere, "half")], { token });
    const pushing = pushHalf(prepared, head);
    await held;
    await vi.waitUntil(() => listRunning().length >= 2, { timeout: 20_000 });
    const working = processesOf(hosting.folder);
    expect(working.filter((line) => /\bgit\b/.test(line)).length).toBeGreaterThan(1);

    const startedMs = performance.now();
    process.kill(group, "SIGINT");
    await ended;
    expect(performance.now() - startedMs, said()).toBeLessThan(10_000);
    expect(exitStatus(), said()).toBe("0");
    expect(processesOf(hosting.folder)).toEqual([]);
    expect(listRunning()).toEqual([]);
    await pushing;
    relay.release();
    expect((await cloning).status).not.toBe(0);
    expect(said()).not.toMatch(/\bat .*:\d+:\d+|Error:/);

    await hosting.restart();
    expect(hosting.host().stderr()).not.toMatch(/warn|error/i);
    const bare = join(hosting.data, "repositories", "git", `${id}.git`);
    const left = readdirSync(bare, { recursive: true, encoding: "utf8" });
    expect(left.filter((file) => /tmp_|incoming-|\.lock$/.test(file))).toEqual([]);
    await gitOk(["fsck", "--strict"], { cwd: bare });
    const refs = await gitOk(["ls-remote", remote], { token });
    expect(refs).toBe(`${head}\tHEAD\n${head}\trefs/heads/main`);
    await gitOk(["clone", "--quiet", remote, join(elsewhere, "whole")], { token });
    expect(existsSync(join(elsewhere, "whole", "noise.bin"))).toBe(true);
  });
});
