import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitRunner } from "./git-runner.ts";
import { formatPkt, flushPkt } from "../../../sharing/git/pkt-line.ts";
import {
  machineGit,
  startGitServer,
  type HttpOptions,
  type TestServer,
} from "../support/transport-server.ts";

const withGit = describe.skipIf("missing" in machineGit);
const base = "/git/events/ev-a.git";
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

let server: TestServer;
beforeEach(async () => {
  server = await startGitServer();
});
afterEach(async () => {
  await server.close();
});

/** Creates a work tree with one commit on `main`; its remote `origin` has the write token. */
async function makeWork(name = "work"): Promise<string> {
  const work = join(server.folder, name);
  await server.git(["init", "--quiet", "--initial-branch=main", work]);
  await writeFile(join(work, "pack.json"), "{}\n");
  await commit(work, "one");
  await server.git(["-C", work, "remote", "add", "origin", server.remote()]);
  return work;
}

async function commit(work: string, message: string): Promise<void> {
  await server.git(["-C", work, "add", "."]);
  await server.git(["-C", work, "commit", "--quiet", "--allow-empty", "-m", message]);
}

const head = async (work: string) => (await server.git(["-C", work, "rev-parse", "HEAD"])).out.trim();

describe("authorization", () => {
  test.each([
    ["GET", `${base}/HEAD`, 404],
    ["GET", `${base}/objects/info/packs`, 404],
    ["GET", `${base}/info/refs`, 404],
    ["GET", `${base}/info/refs?service=git-foo`, 404],
    ["GET", `${base}/info/refs?service=git-upload-pack&x=1`, 404],
    ["GET", "/git/events/ev-a/info/refs?service=git-upload-pack", 404],
    ["PUT", `${base}/info/refs?service=git-upload-pack`, 405],
    ["DELETE", `${base}/git-receive-pack`, 405],
    ["GET", `${base}/git-upload-pack`, 405],
    ["GET", "/git/../../etc/passwd", 404],
    ["GET", "/git/%2e%2e%2f/x.git/info/refs?service=git-upload-pack", 404],
    ["GET", "/git/events/..%2fother.git/info/refs?service=git-upload-pack", 404],
    ["GET", "/git/events/%00.git/info/refs?service=git-upload-pack", 404],
    ["GET", "/git//ev-a.git/info/refs?service=git-upload-pack", 404],
    ["GET", "/git/events\\ev-a.git/info/refs?service=git-upload-pack", 404],
    ["GET", "/git/events/../events/ev-a.git/info/refs?service=git-upload-pack", 404],
  ])("%s %s has the same status with and without a token: %i", async (method, path, status) => {
    for (const headers of [{}, bearer("write-token")]) {
      const answer = await server.http(path, { method, headers });
      expect(answer.status).toBe(status);
      if (status === 405) expect(answer.headers.allow).toMatch(/^(GET|POST)$/);
    }
  });

  test("without a token, missing and existing repositories have the same answer", async () => {
    const tail = "/info/refs?service=git-upload-pack";
    const answers = await Promise.all([
      server.http(`${base}${tail}`),
      server.http(`/git/events/none.git${tail}`),
      server.http(`${base}${tail}`, { headers: bearer("wrong") }),
      server.http(`${base}${tail}`, { headers: { Authorization: "Basic %%%" } }),
    ]);
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe('Basic realm="Artifacts"');
      expect(body).toEqual(answers[0].body);
    }
  });

  test.each([
    ["bearer write-token"],
    ["BEARER  write-token?expires=1"],
    [`Basic ${Buffer.from("anybody:read-token").toString("base64")}`],
    [`basic ${Buffer.from(":read-token?expires=99").toString("base64")}`],
    [`Basic ${Buffer.from("x:read-token%3Fexpires%3D99").toString("base64")}`],
  ])("%s opens the repository", async (authorization) => {
    const answer = await server.http(`${base}/info/refs?service=git-upload-pack`, {
      headers: { Authorization: authorization },
    });
    expect(answer.status).toBe("git" in machineGit ? 200 : 503);
  });

  test("after the token, checks follow in order: scope, read-only, content type, encoding, length", async () => {
    const post = (token: string, headers: Record<string, string>, service = "git-receive-pack") =>
      server.http(`${base}/${service}`, { method: "POST", headers: { ...bearer(token), ...headers } });
    const type = { "Content-Type": "application/x-git-receive-pack-request" };
    expect((await post("read-token", {})).status).toBe(403);
    expect((await post("write-token", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post("write-token", { ...type, "Content-Encoding": "br" })).status).toBe(415);
    const huge: HttpOptions = {
      method: "POST",
      headers: { ...bearer("write-token"), ...type, "Content-Length": String(2 ** 32), Connection: "close" },
      body: Buffer.from("0000"),
    };
    expect((await server.http(`${base}/git-receive-pack`, huge)).status).toBe(413);
    server.readOnly = true;
    expect((await post("write-token", { "Content-Type": "text/plain" })).status).toBe(403);
    expect((await post("write-token", { "Content-Type": "text/plain" }, "git-upload-pack")).status).toBe(415);
  });

  test("without Git, a token gets the message what to install, and no token still 401", async () => {
    const missing = "Hosting needs Git.";
    const runner = createGitRunner({
      availability: { missing },
      runningDirectory: join(server.folder, "none"),
      environment: {},
      platform: process.platform,
    });
    const without = await startGitServer({ runner });
    const path = `${base}/info/refs?service=git-upload-pack`;
    expect((await without.http(path)).status).toBe(401);
    const answer = await without.http(path, { headers: bearer("read-token") });
    expect([answer.status, answer.body.toString(), answer.headers["content-type"]]).toEqual([
      503,
      `${missing}\n`,
      "text/plain; charset=utf-8",
    ]);
    await without.close();
  });
});

withGit("stock Git", () => {
  test("pushes, clones and pulls; pushes and fetches are recorded", async () => {
    const work = await makeWork();
    const first = await server.git(["-C", work, "push", "origin", "main"]);
    expect(first).toMatchObject({ status: 0 });
    expect(server.pushes).toEqual([`${"0".repeat(40)} ${await head(work)} refs/heads/main`]);
    expect(server.fetches).toEqual([]);
    const clone = join(server.folder, "clone");
    expect(await server.git(["clone", "--quiet", server.remote("read-token"), clone])).toMatchObject({
      status: 0,
    });
    expect(server.fetches).toHaveLength(1);
    await commit(work, "two");
    await server.git(["-C", work, "push", "origin", "main"]);
    expect(await server.git(["-C", clone, "pull", "--ff-only"])).toMatchObject({ status: 0 });
    expect(await head(clone)).toBe(await head(work));
    expect(await server.strays()).toEqual([]);
  });

  test("pushes and clones succeed without an audit trail, and the log says so", async () => {
    const work = await makeWork();
    server.isAuditFull = true;
    expect(await server.git(["-C", work, "push", "origin", "main"])).toMatchObject({ status: 0 });
    const clone = ["clone", "--quiet", server.remote(), join(server.folder, "clone")];
    expect(await server.git(clone)).toMatchObject({ status: 0 });
    expect(server.log).toEqual([
      expect.stringMatching(/^error A push could not be recorded.*disk is full/),
      expect.stringMatching(/^error A fetch could not be recorded.*disk is full/),
    ]);
  });

  test("a read token cannot push, and nothing changes", async () => {
    const work = await makeWork();
    const answer = await server.git(["-C", work, "push", server.remote("read-token"), "main"]);
    expect(answer.status).not.toBe(0);
    expect(answer.err).toContain("returned error: 403");
    expect((await server.git(["ls-remote", server.remote()])).out).toBe("");
  });

  test.each([0, 1, 2])("protocol version %i clones, shallow and unshallow", async (version) => {
    const work = await makeWork();
    await commit(work, "two");
    await server.git(["-C", work, "push", "origin", "main"]);
    const clone = join(server.folder, `clone${version}`);
    const options = ["-c", `protocol.version=${version}`];
    expect(await server.git([...options, "clone", "--depth=1", server.remote(), clone])).toMatchObject({
      status: 0,
    });
    const count = async () => (await server.git(["-C", clone, "rev-list", "--count", "HEAD"])).out.trim();
    expect(await count()).toBe("1");
    expect(await server.git([...options, "-C", clone, "fetch", "--unshallow"])).toMatchObject({ status: 0 });
    expect(await count()).toBe("2");
    expect(await head(clone)).toBe(await head(work));
  });

  test("version 2 is used on request, with headers that prevent caching", async () => {
    const answer = await server.http(`${base}/info/refs?service=git-upload-pack`, {
      headers: { ...bearer("read-token"), "Git-Protocol": "version=2" },
    });
    expect(answer.headers).toMatchObject({
      "content-type": "application/x-git-upload-pack-advertisement",
      "cache-control": "no-cache, max-age=0, must-revalidate",
    });
    for (const word of ["version 2", "ls-refs", "fetch"]) expect(answer.body.toString()).toContain(word);
    const odd = await server.http(`${base}/info/refs?service=git-upload-pack`, {
      headers: { ...bearer("read-token"), "Git-Protocol": "version=2\t--x" },
    });
    expect(odd.body.toString()).toContain("# service=git-upload-pack");
  });

  test("a clone without blobs fetches them on demand", async () => {
    const work = await makeWork();
    await server.git(["-C", work, "push", "origin", "main"]);
    const clone = join(server.folder, "partial");
    const args = ["clone", "--quiet", "--no-checkout", "--filter=blob:none", server.remote(), clone];
    expect(await server.git(args)).toMatchObject({ status: 0, err: "" });
    expect((await server.git(["-C", clone, "rev-list", "--objects", "--missing=print", "HEAD"])).out).toMatch(
      /^\?/m,
    );
    expect(await server.git(["-C", clone, "show", "HEAD:pack.json"])).toMatchObject({
      status: 0,
      out: "{}\n",
    });
  });

  test("a gzip body is decoded; damaged and truncated ones are refused", async () => {
    const work = await makeWork();
    await server.git(["-C", work, "push", "origin", "main"]);
    const body = gzipSync(Buffer.concat([formatPkt("command=ls-refs\n"), Buffer.from("0001"), flushPkt]));
    const headers = {
      ...bearer("read-token"),
      "Content-Type": "application/x-git-upload-pack-request",
      "Content-Encoding": "gzip",
      "Git-Protocol": "version=2",
    };
    const post = (bytes: Buffer) =>
      server.http(`${base}/git-upload-pack`, { method: "POST", headers, body: bytes });
    expect((await post(body)).body.toString()).toContain("refs/heads/main");
    const flipped = Buffer.from(body);
    flipped.writeUInt8(flipped.readUInt8(12) ^ 0xff, 12);
    expect((await post(flipped)).status).toBe(400);
    expect((await post(body.subarray(0, 14))).status).toBe(400);
  });

  test("malformed fetches are refused as such, without an error in the log", async () => {
    const work = await makeWork();
    await server.git(["-C", work, "push", "origin", "main"]);
    const want = formatPkt(`want ${await head(work)}\n`).toString();
    const fetch = formatPkt("command=fetch").toString();
    const version0 = ["", "0003", "zzzz", "000dwant zzz\n0000", want, `${want}000edeepen -1\n0000`];
    const order = [`${want}0009done\n0000`, `${want}0000${want}`, `${want}0011deepen-not x0009done\n0000`];
    const version2 = ["0010command=nope0000", "0007zzz0000", `${fetch}0001000dwant zzz\n0000`];
    const lines = [`${fetch}00010007zzz0000`, `${fetch}0001${want}0011deepen-not x0008done0000`];
    for (const [version, bodies] of [
      ["version=1", [...version0, ...order]],
      ["version=2", [...version2, ...lines]],
    ] as const) {
      for (const body of bodies) {
        const answer = await server.http(`${base}/git-upload-pack`, {
          method: "POST",
          headers: {
            ...bearer("read-token"),
            "Content-Type": "application/x-git-upload-pack-request",
            "Git-Protocol": version,
          },
          body: Buffer.from(body),
        });
        expect([body, answer.status, answer.body.toString()]).toEqual([
          body,
          400,
          "The request is malformed.\n",
        ]);
      }
    }
    expect(server.log).toEqual([]);
  });

  test("three hundred tags are pushed and cloned, and the first are in the audit trail", async () => {
    const work = await makeWork();
    const id = await head(work);
    const lines = Array.from({ length: 300 }, (_, index) => `${id} refs/tags/rev/${index}`);
    await writeFile(
      join(work, ".git", "packed-refs"),
      `# pack-refs with: peeled fully-peeled \n${lines.sort().join("\n")}\n`,
    );
    expect(await server.git(["-C", work, "push", "--tags", "origin", "main"])).toMatchObject({ status: 0 });
    const clone = join(server.folder, "tags");
    expect(await server.git(["clone", "--quiet", server.remote(), clone])).toMatchObject({ status: 0 });
    expect((await server.git(["-C", clone, "tag"])).out.trim().split("\n")).toHaveLength(300);
    expect(server.pushes[0]).toMatch(/and 101 more$/);
  });

  test("a hostile environment, home folder or planted hook has no effect", async () => {
    const home = join(server.folder, "hostile");
    await mkdir(home);
    await writeFile(join(home, ".gitconfig"), "[receive]\n\tdenyCreates = true\n[core]\n\thooksPath = /\n");
    const hostile = await startGitServer({
      environment: {
        ...process.env,
        HOME: home,
        GIT_DIR: home,
        GIT_CONFIG_PARAMETERS: "'transfer.hideRefs=refs'",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "transfer.hideRefs",
        GIT_CONFIG_VALUE_0: "refs",
      },
    });
    const hook = join(hostile.repository, "hooks", "pre-receive");
    await writeFile(hook, `#!/bin/sh\ntouch ${hostile.folder}/pwned\nexit 1\n`, { mode: 0o755 });
    const work = await makeWork();
    expect(await server.git(["-C", work, "push", hostile.remote(), "main"])).toMatchObject({ status: 0 });
    expect((await server.git(["ls-remote", hostile.remote()])).out).toContain("refs/heads/main");
    await expect(writeFile(join(hostile.folder, "pwned"), "", { flag: "wx" })).resolves.toBeUndefined();
    await hostile.close();
  });
});
