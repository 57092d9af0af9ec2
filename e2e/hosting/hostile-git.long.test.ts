// Hostile pushes to a hosted repository, and crashes during a push (R48 to R55, R58 to R61).
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeDelta, makePack } from "../../electron/sharing/git/support/make-pack.ts";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { call, curl, hasCurl, type Answer } from "../support/curl.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { commitFiles, git, gitOk, hasGit, makeWorkTree } from "./git.ts";
import { createRepository, missing, startHosting, type CreatedRepository, type Hosting } from "./hosting.ts";
import { bombPack, pushRequest, type RefUpdate } from "./push-bytes.ts";

interface Pushed extends CreatedRepository {
  /** The work tree from which `main` was pushed. */
  readonly tree: string;
  readonly head: string;
  /** Its folder in the host's data directory. */
  readonly bare: string;
}

async function makePushed(hosting: Hosting, name: string): Promise<Pushed> {
  const created = await createRepository(hosting, { name });
  const tree = await makeWorkTree(join(hosting.folder, name), created.remote);
  await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: created.token });
  const head = await gitOk(["rev-parse", "HEAD"], { cwd: tree });
  const bare = join(hosting.data, "repositories", "git", `${created.id}.git`);
  return { ...created, tree, head, bare };
}

const refsOf = ({ remote, token }: CreatedRepository): Promise<string> =>
  gitOk(["ls-remote", remote], { token });

/** Returns the relative paths of all files below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Creates a folder for the running test. */
function makeOwnFolder(name: string): string {
  const folder = makeTemporaryDirectory(name);
  onTestFinished(() => {
    removeDirectory(folder);
  });
  return folder;
}

const temporary = /tmp_|incoming-|\.lock$|\.keep$/;

describe.skipIf(!hasGit || !hasCurl)(`hostile pushes${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  const cap = 8 * 1024 * 1024;
  beforeAll(async () => {
    hosting = await startHosting({ repositories: { max_pack_bytes: cap } });
  });
  afterAll(() => hosting.stop());

  const send = (repository: Pushed, updates: readonly RefUpdate[], pack: Uint8Array): Promise<Answer> => {
    const file = join(hosting.folder, `request-${repository.name}`);
    writeFileSync(file, pushRequest(updates, pack));
    return curl(`${repository.remote}/git-receive-pack`, [
      ...["-X", "POST", "-H", "Content-Type: application/x-git-receive-pack-request", "-H", "Expect:"],
      ...["-H", `Authorization: Bearer ${repository.token}`, "--data-binary", `@${file}`],
    ]);
  };

  /** Formats a tree entry as Git does. */
  const entry = (mode: string, name: string, id: string): Buffer =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);

  test.each([
    ["100644", ".git"],
    ["100644", ".GIT"],
    ["100644", ".git "],
    ["100644", "git~1"],
    ["100644", ".."],
    ["100644", "a/b"],
    ["120000", ".gitmodules"],
  ])("R48 a tree with the entry %s %j is refused and leaves nothing", async (mode, name) => {
    const own = await makePushed(hosting, `ev-tree-${Buffer.from(name).toString("hex")}`);
    const before = await refsOf(own);
    const blob = await gitOk(["hash-object", "-w", "--stdin"], { cwd: own.tree, input: "/etc/passwd" });
    const tree = await gitOk(["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], {
      cwd: own.tree,
      input: entry(mode, name, blob),
    });
    const commit = await gitOk(["commit-tree", tree, "-p", own.head, "-m", "hostile"], { cwd: own.tree });
    const { status, stderr } = await git(["push", "origin", `${commit}:refs/heads/main`], {
      cwd: own.tree,
      token: own.token,
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/remote rejected|unpack/);
    expect(await refsOf(own)).toBe(before);
    const read = await call(`${hosting.base}/repos/${own.name}/tree/${tree}`, { token: hosting.read });
    expect(read.status).toBe(404);
  });

  test("R49 a pack above the limit is refused, whether its size is declared or not", async () => {
    const own = await makePushed(hosting, "ev-large");
    const noise = new Uint8Array(cap + 1024 * 1024);
    const random = createRandom(49);
    for (let at = 0; at < noise.length; at += 1) noise[at] = random() * 256;
    await commitFiles(own.tree, { "noise.bin": noise }, "noise");
    const before = filesOf(own.bare);
    const push = (...args: string[]) =>
      git([...args, "push", "origin", "main"], { cwd: own.tree, token: own.token });
    const chunked = await push("-c", "http.postBuffer=65536");
    expect(chunked.status).not.toBe(0);
    expect(chunked.stderr).toContain("pack exceeds maximum allowed size");
    const declared = await push("-c", `http.postBuffer=${4 * cap}`);
    expect(declared.status).not.toBe(0);
    expect(declared.stderr).toContain("413");
    expect(filesOf(own.bare)).toEqual(before);
  });

  describe("R50 a damaged pack", () => {
    let own: Pushed;
    let update: RefUpdate;
    let pack: Buffer;
    let before: string[];
    beforeAll(async () => {
      own = await makePushed(hosting, "ev-damaged");
      const to = await commitFiles(own.tree, { "b.txt": "second\n".repeat(100) }, "second");
      update = { ref: "refs/heads/main", from: own.head, to };
      pack = (
        await git(["pack-objects", "--stdout", "--revs", "-q"], {
          cwd: own.tree,
          input: `${to}\n^${own.head}\n`,
        })
      ).stdout;
      before = filesOf(own.bare);
    });
    const expectRefused = async (broken: Uint8Array): Promise<void> => {
      const refs = await refsOf(own);
      const { body } = await send(own, [update], broken);
      expect(body.toString("latin1")).not.toContain("unpack ok");
      expect(await refsOf(own)).toBe(refs);
      expect(filesOf(own.bare)).toEqual(before);
    };

    test("with a flipped byte is refused", async () => {
      const broken = Buffer.from(pack);
      broken[Math.floor(broken.length / 2)]! ^= 0x10;
      await expectRefused(broken);
    });
    test.each([13, 40, -21, -1])("cut at byte %i is refused", async (end) => {
      await expectRefused(pack.subarray(0, end));
    });
    test("without the commit's tree is refused", async () => {
      const commit = (
        await git(["pack-objects", "--stdout", "-q"], { cwd: own.tree, input: `${update.to}\n` })
      ).stdout;
      await expectRefused(commit);
    });
    test("with a delta without its base is refused", async () => {
      const delta = { type: 7, content: makeDelta(1000, 1000, 1), base: Buffer.alloc(20, 1) };
      await expectRefused(makePack([delta]));
    });
    test("can be followed by the whole one", async () => {
      const { body } = await send(own, [update], pack);
      expect(body.toString("latin1")).toContain("unpack ok");
    });
  });

  test("R51 a small pack that unpacks to 5 GB is refused quickly, with a reason", async () => {
    const own = await makePushed(hosting, "ev-bomb");
    const before = filesOf(own.bare);
    const pack = bombPack(15 * 1024 * 1024, 340);
    expect(pack.length).toBeLessThan(1024 * 1024);
    const startedMs = performance.now();
    const { body } = await send(own, [{ ref: "refs/heads/bomb", to: own.head }], pack);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(body.toString("latin1")).toMatch(/unpack (?!ok)\S/);
    expect(await refsOf(own)).not.toContain("bomb");
    expect(filesOf(own.bare)).toEqual(before);
    const { VmHWM } = readStatus(hosting.host().process.pid!);
    expect(VmHWM).toBeLessThan(600 * 1024 * 1024);
  });

  test("R52 one of two concurrent pushes to a branch succeeds", async () => {
    const own = await makePushed(hosting, "ev-race");
    const rivals = await Promise.all(
      ["left", "right"].map(async (side) => {
        const tree = join(hosting.folder, `race-${side}`);
        await gitOk(["clone", "--quiet", own.remote, tree], { token: own.token });
        await commitFiles(tree, { "side.txt": side }, side);
        return tree;
      }),
    );
    const ends = await Promise.all(
      rivals.map((tree) => git(["push", "--quiet", "origin", "main"], { cwd: tree, token: own.token })),
    );
    expect(ends.filter(({ status }) => status === 0)).toHaveLength(1);
    await gitOk(["fsck", "--strict"], { cwd: own.bare });
  });

  test("R54 no address leads outside the repositories", async () => {
    const own = await makePushed(hosting, "ev-paths");
    for (const path of [
      "/git/../../etc/passwd",
      "/git/%2e%2e%2f%2e%2e%2fetc/passwd",
      "/git/events/ev-paths%00.git/info/refs?service=git-upload-pack",
      "/git//ev-paths.git/info/refs?service=git-upload-pack",
      "/git/events\\ev-paths.git/info/refs?service=git-upload-pack",
      "/git/events/..%2fother.git/info/refs?service=git-upload-pack",
      "/git/events/ev-paths.git/../ev-paths.git/HEAD",
      "/git/events/ev-paths.git/./HEAD",
    ]) {
      const { status } = await curl(`${hosting.api}${path}`, ["-H", `Authorization: Bearer ${own.token}`]);
      expect([400, 404], path).toContain(status);
    }
  });

  test("R55 a branch that looks like an option is only a name", async () => {
    const own = await makePushed(hosting, "ev-option");
    await git(["push", "origin", "main:refs/heads/--output=x"], { cwd: own.tree, token: own.token });
    const { status } = await call(`${hosting.base}/repos/ev-option/log?ref=--output=x`, {
      token: hosting.read,
    });
    expect([200, 404]).toContain(status);
    for (const folder of [own.bare, hosting.data, process.cwd()])
      expect(existsSync(join(folder, "x"))).toBe(false);
  });
});

interface ProcessStatus {
  /** Returns peak resident bytes; 0 if the system does not report them. */
  readonly VmHWM: number;
}

function readStatus(pid: number): ProcessStatus {
  if (process.platform !== "linux") return { VmHWM: 0 };
  const [, kilobytes = "0"] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { VmHWM: Number(kilobytes) * 1024 };
}

describe.skipIf(!hasGit || !hasCurl)(`a host's life${missing && ` (needs ${missing})`}`, () => {
  const startOwn = async (options: Parameters<typeof startHosting>[0] = {}): Promise<Hosting> => {
    const hosting = await startHosting(options);
    onTestFinished(() => hosting.stop());
    return hosting;
  };

  test("R53 and R59 a host killed during a push leaves the old state, no leftovers, and the same remotes", async () => {
    const hosting = await startOwn();
    const own = await makePushed(hosting, "ev-killed");
    const noise = new Uint8Array(24 * 1024 * 1024);
    const random = createRandom(53);
    for (let at = 0; at < noise.length; at += 1) noise[at] = random() * 256;
    await commitFiles(own.tree, { "noise.bin": noise }, "noise");
    const push = git(["-c", "http.postBuffer=65536", "push", "origin", "main"], {
      cwd: own.tree,
      token: own.token,
    });
    await vi.waitUntil(
      () => filesOf(own.bare).some((file) => temporary.test(file) && statSync(file).size > 0),
      {
        timeout: 20_000,
        interval: 5,
      },
    );
    await hosting.restart("kill");
    expect((await push).status).not.toBe(0);
    await gitOk(["fsck", "--strict"], { cwd: own.bare });
    expect(await refsOf(own)).toContain(own.head);
    expect(filesOf(own.bare).filter((file) => temporary.test(file))).toEqual([]);
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: own.tree, token: own.token });
    expect(await refsOf(own)).not.toContain(own.head);
  });

  test("R58 neither the environment nor planted hooks have an effect", async () => {
    const home = makeOwnFolder("hostile-home");
    writeFileSync(
      join(home, ".gitconfig"),
      "[receive]\n\tdenyCurrentBranch = refuse\n[http]\n\treceivepack = false\n[core]\n\tbare = nonsense\n",
    );
    const hosting = await startOwn({
      env: {
        HOME: home,
        GIT_DIR: "/nowhere",
        GIT_CONFIG_PARAMETERS: "'core.bare'='nonsense'",
        GIT_TRACE: "1",
      },
    });
    const own = await makePushed(hosting, "ev-hooks");
    const trace = join(hosting.folder, "hook-ran");
    mkdirSync(join(own.bare, "hooks"), { recursive: true });
    for (const hook of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"])
      writeFileSync(join(own.bare, "hooks", hook), `#!/bin/sh\ntouch '${trace}'\nexit 1\n`, { mode: 0o755 });
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: own.tree, token: own.token });
    expect(existsSync(trace)).toBe(false);
    expect(hosting.host().stderr()).not.toContain("trace:");
  });

  test("R60 neither logs nor files of the host contain a secret", async () => {
    const hosting = await startOwn();
    const own = await makePushed(hosting, "ev-silent");
    await git(["ls-remote", own.remote.replace("http://", `http://x:${own.token.split("?")[0]!}@`)]);
    await curl(`${own.remote}/info/refs?service=git-upload-pack&token=${own.token}`);
    await call(`${hosting.base}/repos/none`, { token: hosting.edit });
    await hosting.restart();
    const secrets = [own.token, hosting.edit, hosting.read].map((token) => /[0-9a-f]{40}/.exec(token)![0]);
    const said = [
      hosting.host().stderr(),
      ...filesOf(hosting.data).map((file) => readFileSync(file, "latin1")),
    ];
    for (const secret of secrets) expect(said.filter((text) => text.includes(secret))).toEqual([]);
  });

  test("R61 without Git the host serves all but Git, and says what to install", async () => {
    const hosting = await startOwn({ env: { PATH: makeOwnFolder("empty-path") } });
    const own = await createRepository(hosting, { name: "ev-nogit" });
    const read = await call(`${hosting.base}/repos/ev-nogit`, { token: hosting.read });
    expect(read.status).toBe(200);
    const { status, body } = await curl(`${own.remote}/info/refs?service=git-upload-pack`, [
      ...["-H", `Authorization: Bearer ${own.token}`],
    ]);
    expect(status).toBe(503);
    expect(body.toString("utf8")).toMatch(/^[^.]*\bGit\b.*install.*\.\n?$/is);
  });
});
