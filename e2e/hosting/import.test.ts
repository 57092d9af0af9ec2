// Imports from another service over TLS, and addresses that imports must not connect to (R20).
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startGitServer, type GitServer } from "../../electron/services/hosting/support/upstream-server.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { call, hasCurl } from "../support/curl.ts";
import { commitFiles, gitOk, hasGit, makeWorkTree } from "./git.ts";
import { missing, startHosting, type CreatedRepository, type Hosting } from "./hosting.ts";

describe.skipIf(!hasGit || !hasCurl)(`imports${missing && ` (needs ${missing})`}`, () => {
  /** Folder of the other service's repositories. */
  let there: string;
  let server: GitServer;
  /** A host whose configuration allows loopback. */
  let allowing: Hosting;
  /** A host that allows only public addresses. */
  let guarded: Hosting;

  beforeAll(async () => {
    there = makeTemporaryDirectory("upstream");
    const bare = join(there, "upstream.git");
    await gitOk(["init", "--quiet", "--bare", "--initial-branch=trunk", bare]);
    const tree = await makeWorkTree(join(there, "work"), bare);
    await gitOk(["tag", "rev/1"], { cwd: tree });
    await commitFiles(tree, { "b/c.txt": "second\n" }, "second");
    await gitOk(["tag", "-a", "-m", "annotated", "rev/2"], { cwd: tree });
    await gitOk(["push", "--quiet", "origin", "main:trunk", "main~1:refs/heads/side", "--tags"], {
      cwd: tree,
    });
    server = await startGitServer(there);
    const repositories = { import_ca: server.caFile };
    [allowing, guarded] = await Promise.all([
      startHosting({ repositories: { ...repositories, import_allow: ["127.0.0.0/8"] } }),
      startHosting({ repositories }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([allowing.stop(), guarded.stop(), server.close()]);
    removeDirectory(there);
  });

  const upstream = (path = "/git/upstream.git"): string => `https://127.0.0.1:${server.port}${path}`;
  const importFrom = (hosting: Hosting, name: string, json: unknown, token = hosting.edit) =>
    call(`${hosting.base}/repos/${name}/import`, { token, method: "POST", json });
  const read = (hosting: Hosting, name: string) =>
    call(`${hosting.base}/repos/${name}`, { token: hosting.read });
  const foldersOf = (hosting: Hosting): string[] =>
    readdirSync(join(hosting.data, "repositories", "git")).toSorted();

  test("R20 branches, tags and HEAD are copied over https", async () => {
    const { status, envelope } = await importFrom(allowing, "ev-import", { url: upstream() });
    expect([status, envelope.errors]).toEqual([201, []]);
    const { remote, token, ...created } = envelope.result as CreatedRepository;
    expect(created).toMatchObject({ name: "ev-import", default_branch: "trunk" });
    const refsAt = (at: string, secret?: string): Promise<string> =>
      gitOk(["ls-remote", "--symref", at], secret === undefined ? {} : { token: secret });
    const here = await refsAt(remote, token);
    expect(here).toBe(await refsAt(join(there, "upstream.git")));
    expect(here.split("\n")).toHaveLength(7);
    const clone = join(allowing.folder, "clone");
    await gitOk(["clone", "--quiet", remote, clone], { token });
    await gitOk(["fsck", "--strict"], { cwd: clone });
    expect((await read(allowing, "ev-import")).envelope.result).toMatchObject({
      id: created.id,
      source: `git:${upstream()}`,
      status: "ready",
    });
  });

  test("a branch and a depth limit an import", async () => {
    const json = { url: upstream(), branch: "side", depth: 1 };
    const { status, envelope } = await importFrom(allowing, "ev-narrow", json);
    expect(status).toBe(201);
    const { remote, token } = envelope.result as CreatedRepository;
    const lines = (await gitOk(["ls-remote", remote], { token })).split("\n");
    expect(lines.map((line) => line.split("\t")[1])).toEqual(["HEAD", "refs/heads/side", "refs/tags/rev/1"]);
  });

  /** HERE stands for the server's host and port. */
  const refused: readonly (readonly [string, string])[] = [
    ["plain HTTP", "http://HERE/git/upstream.git"],
    ["a file", "file:///THERE/upstream.git"],
    ["a path", "THERE/upstream.git"],
    ["ssh", "ssh://git@HERE/git/upstream.git"],
    ["ssh in Git's short form", "git@127.0.0.1:git/upstream.git"],
    ["Git's own protocol", "git://HERE/git/upstream.git"],
    ["a transport that runs a program", "ext::sh -c touch% ran"],
    ["an option", "-x"],
    ["a long option", "--upload-pack=touch ran"],
    ["a password in the address", "https://x:secret@HERE/git/upstream.git"],
    ["a line break", "https://HERE/git/upstream.git\nx"],
    ["nothing", ""],
  ];
  test.each(refused)("R20 %s is refused and not connected to", async (_, pattern) => {
    const before = [server.connections(), ...foldersOf(allowing)];
    const url = pattern.replace("HERE", `127.0.0.1:${server.port}`).replace("THERE", there);
    const { status, envelope } = await importFrom(allowing, "ev-refused", { url });
    expect(status).toBe(400);
    expect([10_100, 10_104]).toContain(envelope.errors[0]?.code);
    expect(JSON.stringify(envelope)).not.toContain("secret");
    expect((await read(allowing, "ev-refused")).status).toBe(404);
    expect([server.connections(), ...foldersOf(allowing)]).toEqual(before);
    expect(existsSync("ran")).toBe(false);
  });

  test.each([
    "127.0.0.1",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[fe80::1]",
    "[fd00::1]",
  ])("R20 %s is not public, and is connected to only if it is allowed", async (host) => {
    const before = server.connections();
    const url = `https://${host}:${server.port}/git/upstream.git`;
    const { status, envelope } = await importFrom(guarded, "ev-inside", { url });
    expect([status, envelope.errors[0]?.code]).toEqual([400, 10_104]);
    expect(server.connections()).toBe(before);
    expect((await read(guarded, "ev-inside")).status).toBe(404);
  });

  test("a token without edit, an existing name and an invalid body connect to nothing", async () => {
    const { base, edit } = allowing;
    await call(`${base}/repos`, { token: edit, method: "POST", json: { name: "ev-taken" } });
    const before = server.connections();
    const url = upstream();
    const answers = [
      await importFrom(allowing, "ev-none", { url }, allowing.read),
      await importFrom(allowing, "EV-Taken", { url }),
      await importFrom(allowing, "con", { url }),
      await importFrom(allowing, "ev-none", { url: 5 }),
      await importFrom(allowing, "ev-none", {}),
    ];
    expect(answers.map(({ status, envelope }) => [status, envelope.errors[0]?.code])).toEqual([
      [403, 10_000],
      [409, 10_201],
      [400, 10_101],
      [400, 10_100],
      [400, 10_100],
    ]);
    expect(server.connections()).toBe(before);
  });

  test.each([
    ["asks for a password", "/auth/x.git", 422, 10_106],
    ["fails", "/failing/x.git", 502, 10_401],
    ["has no such repository", "/git/none.git", 422, 10_100],
    ["sends a page", "/page/x.git", 422, 10_100],
    ["leads to another repository", "/redirect/upstream.git", 422, 10_100],
    ["leads into this machine", "/inside/upstream.git", 422, 10_100],
  ])("a service that %s leaves nothing here", async (_, path, status, code) => {
    const before = foldersOf(allowing);
    const answer = await importFrom(allowing, "ev-failed", { url: upstream(path) });
    expect([answer.status, answer.envelope.errors[0]?.code]).toEqual([status, code]);
    expect((await read(allowing, "ev-failed")).status).toBe(404);
    expect(foldersOf(allowing)).toEqual(before);
  });

  test("a running import reserves its name, and ends with the host", async () => {
    const before = server.requests.length;
    const importing = importFrom(allowing, "ev-silent", { url: upstream("/silent/x.git") }).catch(
      (error: unknown) => error,
    );
    await vi.waitUntil(() => server.requests.length > before, { timeout: 20_000 });
    const second = await importFrom(allowing, "ev-silent", { url: upstream() });
    expect(second.status).toBe(409);
    expect((await read(allowing, "ev-silent")).envelope.errors[0]?.code).toBe(10_302);
    await allowing.restart("kill");
    await importing;
    expect((await read(allowing, "ev-silent")).status).toBe(404);
    expect((await importFrom(allowing, "ev-silent", { url: upstream() })).status).toBe(201);
  });
});
