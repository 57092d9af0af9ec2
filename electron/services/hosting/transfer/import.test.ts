import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import type { GitRunner } from "../git/git-runner.ts";
import {
  gitMissing,
  openWorkshop,
  type SampleRepository,
  type Workshop,
} from "../support/sample-repository.ts";
import { createTransfer, type TransferOptions } from "./transfer.ts";
import { serverName, startGitServer, type GitServer } from "../support/upstream-server.ts";

describe.skipIf(gitMissing)("import from another service (needs Git)", () => {
  let workshop: Workshop;
  let upstream: SampleRepository;
  let server: GitServer;
  let target: SampleRepository;
  let made = 0;

  beforeAll(async () => {
    workshop = await openWorkshop();
    upstream = await workshop.createRepository("upstream", "trunk");
    for (const text of ["one", "two", "three"]) {
      await upstream.commit("refs/heads/trunk", { "pack.json": text });
      await upstream.git(["tag", `rev/${text}`, "refs/heads/trunk"]);
    }
    await upstream.commit("refs/heads/side", { "side.txt": "x" });
    await upstream.git(["tag", "side-tag", "refs/heads/side"]);
    await upstream.git(["update-ref", "refs/notes/x", "refs/heads/side"]);
    await upstream.git(["update-server-info"]);
    server = await startGitServer(workshop.folder);
  });
  afterAll(async () => {
    await server.close();
    await workshop.close();
  });
  beforeEach(async () => {
    made += 1;
    target = await workshop.createRepository(`target-${made}`);
  });

  const urlOf = (path: string, host = serverName) => `https://${host}:${server.port}${path}`;
  const transferWith = (options: Partial<TransferOptions> = {}) =>
    createTransfer({
      ...{ runner: workshop.runner, importAllow: ["127.0.0.0/8"], importCaFile: server.caFile },
      ...{ maxPackBytes: 64 * 1024 * 1024, resolve: () => Promise.resolve(["127.0.0.1"]) },
      ...options,
    });
  const importFrom = (
    draft: { url: string; branch?: string; depth?: number },
    options: Partial<TransferOptions> = {},
    signal = new AbortController().signal,
  ) => transferWith(options).import(draft, target.directory, signal);
  const refsOf = (repository: SampleRepository) =>
    repository.git(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]);

  test("branches and tags are copied, and nothing else; the default branch is the upstream's", async () => {
    const imported = await importFrom({ url: urlOf("/git/upstream.git") });
    expect(imported).toEqual({ objects: 12, defaultBranch: "trunk" });
    expect(await refsOf(target)).toBe(await refsOf(upstream));
    expect(await target.git(["for-each-ref", "refs/notes"])).toBe("");
    expect(await target.git(["fsck", "--strict"])).toBe("");
    expect(await readFile(join(target.directory, "config"), "utf8")).not.toMatch(/remote|http|proxy/);
  });

  test("one branch is copied with the tags on it; a depth limits the history", async () => {
    const imported = await importFrom({ url: urlOf("/git/upstream.git"), branch: "trunk", depth: 1 });
    expect(imported).toMatchObject({ objects: 3, defaultBranch: "trunk" });
    expect(await target.git(["for-each-ref", "--format=%(refname)"])).toBe(
      "refs/heads/trunk\nrefs/tags/rev/three",
    );
    expect(await target.git(["rev-list", "--count", "refs/heads/trunk"])).toBe("1");
  });

  test("the host is looked up once, and only its addresses are connected to", async () => {
    const asked: string[] = [];
    const resolve = (host: string) => {
      asked.push(host);
      return Promise.resolve(asked.length === 1 ? ["127.0.0.1"] : ["10.0.0.1"]);
    };
    await importFrom({ url: urlOf("/git/upstream.git") }, { resolve });
    expect(asked).toEqual([serverName]);
  });

  const untouched: GitRunner = {
    availability: { missing: "none" },
    spawn: () => expect.unreachable(),
    run: () => Promise.reject(new Error("Git was run")),
    close: () => Promise.resolve(),
  };

  test.each([
    ["http://HOST/git/upstream.git", []],
    ["file:///FOLDER/upstream.git", []],
    ["ssh://HOST/git/upstream.git", []],
    ["-x", []],
    ["https://127.0.0.1:PORT/git/upstream.git", []],
    ["https://2130706433:PORT/git/upstream.git", []],
    ["https://[::ffff:127.0.0.1]:PORT/git/upstream.git", []],
    ["https://HOST/git/upstream.git", ["10.0.0.0/8"]],
  ])("%s with %j allowed is refused without a connection and without Git", async (pattern, importAllow) => {
    const before = server.connections();
    const url = pattern
      .replace("HOST", `${serverName}:${server.port}`)
      .replace("PORT", String(server.port))
      .replace("FOLDER", workshop.folder);
    await expect(importFrom({ url }, { runner: untouched, importAllow })).rejects.toSatisfy((error) =>
      isArtifactsError(error, "INVALID_URL"),
    );
    expect(server.connections()).toBe(before);
  });

  test.each([
    ["/auth/x.git", { code: "REMOTE_AUTH_REQUIRED" }],
    ["/forbidden/x.git", { code: "REMOTE_AUTH_REQUIRED" }],
    ["/failing/x.git", { code: "UPSTREAM_UNAVAILABLE", status: 502 }],
    ["/git/none.git", { code: "INVALID_INPUT", status: 422 }],
    ["/page/x.git", { code: "INVALID_INPUT", status: 422 }],
    [
      "/redirect/upstream.git",
      { code: "INVALID_INPUT", status: 422, message: expect.stringContaining("redirects") as string },
    ],
    ["/inside/upstream.git", { code: "INVALID_INPUT", status: 422 }],
    ["/endless/x.git", { code: "MEMORY_LIMIT", status: 413 }],
  ])("the failure of the upstream %s has its own message", async (path, expected) => {
    await expect(importFrom({ url: urlOf(path) }, { maxPackBytes: 1024 })).rejects.toMatchObject(expected);
  });

  test("a redirect is not followed, not even to the same host", async () => {
    const before = server.requests.length;
    await expect(importFrom({ url: urlOf("/redirect/upstream.git") })).rejects.toThrow();
    expect(server.requests.slice(before).filter((line) => line.includes("/git/"))).toEqual([]);
  });

  test("an empty repository and an unknown branch are refused", async () => {
    await workshop.createRepository("bare");
    await expect(importFrom({ url: urlOf("/git/bare.git") })).rejects.toMatchObject({ status: 422 });
    const unknown = { url: urlOf("/git/upstream.git"), branch: "none" };
    await expect(importFrom(unknown)).rejects.toMatchObject({ code: "INVALID_INPUT", status: 422 });
  });

  test("an untrusted certificate and one of another name are refused", async () => {
    const url = urlOf("/git/upstream.git");
    await expect(importFrom({ url }, { importCaFile: undefined })).rejects.toMatchObject({ status: 502 });
    const other = urlOf("/git/upstream.git", "other.example.test");
    await expect(importFrom({ url: other })).rejects.toMatchObject({ status: 502 });
  });

  test("an unreachable upstream and a silent one end within their time limits", async () => {
    const closed = await startGitServer(workshop.folder);
    await closed.close();
    const nothing = { url: `https://${serverName}:${closed.port}/git/upstream.git` };
    await expect(importFrom(nothing)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE", status: 502 });
    const silent = { url: urlOf("/silent/x.git") };
    await expect(importFrom(silent, { limits: { idleMs: 150 } })).rejects.toMatchObject({ status: 504 });
    await expect(importFrom(silent, { limits: { totalMs: 150 } })).rejects.toMatchObject({ status: 504 });
  });

  test("packs above the limit are refused", async () => {
    await upstream.commit("refs/heads/big", {
      noise: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 7919) % 251)),
    });
    const draft = { url: urlOf("/git/upstream.git") };
    await expect(importFrom(draft, { maxPackBytes: 1000 })).rejects.toMatchObject({
      code: "MEMORY_LIMIT",
      status: 413,
    });
    await upstream.git(["update-ref", "-d", "refs/heads/big"]);
  });

  test.each(["/git/hostile.git", "/dumb/hostile.git"])(
    "a tree that contains .git is refused from %s",
    async (path) => {
      const hostile = await workshop.createRepository(`hostile`);
      const blob = await hostile.git(["hash-object", "-w", "--stdin"], "x");
      const raw = Buffer.concat([Buffer.from("100644 .git\0"), Buffer.from(blob, "hex")]);
      const tree = await hostile.git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], raw);
      await hostile.git(["update-ref", "refs/heads/main", await hostile.git(["commit-tree", tree], "m")]);
      await hostile.git(["update-server-info"]);
      await expect(importFrom({ url: urlOf(path) })).rejects.toMatchObject({
        ...{
          code: "INVALID_INPUT",
          status: 422,
          message: expect.stringContaining("check refuses") as string,
        },
      });
    },
  );

  test("a service with the old protocol works too", async () => {
    await upstream.git(["update-server-info"]);
    await importFrom({ url: urlOf("/dumb/upstream.git") });
    expect(await refsOf(target)).toBe(await refsOf(upstream));
  });

  test("an abort ends the import with its reason", async () => {
    const stop = new AbortController();
    const before = server.requests.length;
    const importing = importFrom({ url: urlOf("/silent/x.git") }, {}, stop.signal);
    await expect.poll(() => server.requests.length).toBeGreaterThan(before);
    stop.abort(new Error("deleted meanwhile"));
    await expect(importing).rejects.toThrow("deleted meanwhile");
  });

  test("the arguments contain no secret of the proxy, and Git has no other way out", async () => {
    const commands: Parameters<GitRunner["run"]>[0][] = [];
    const runner: GitRunner = {
      ...workshop.runner,
      run: (command) => {
        commands.push(command);
        return workshop.runner.run(command);
      },
    };
    await importFrom({ url: urlOf("/git/upstream.git") }, { runner });
    const remote = commands.filter(({ args }) => args.some((argument) => argument.startsWith("https://")));
    expect(remote).toHaveLength(2);
    for (const { args, env } of remote) {
      const secret = new URL(env!.https_proxy!).password;
      expect(secret).toMatch(/^[0-9a-f]{48}$/);
      expect(args.join(" ")).not.toContain(secret);
      expect(env).toMatchObject({ NO_PROXY: "", no_proxy: "" });
    }
  });
});
