import { readdir, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  makeDelta,
  makePack,
  makePush,
  objectId,
  type PackEntry,
} from "../../../sharing/git/support/make-pack.ts";
import { machineGit, startGitServer, type TestServer } from "../support/transport-server.ts";

const withGit = describe.skipIf("missing" in machineGit);
const path = "/git/events/ev-a.git/git-receive-pack";
const headers = {
  Authorization: "Bearer write-token",
  "Content-Type": "application/x-git-receive-pack-request",
};

let server: TestServer;
beforeEach(async () => {
  server = await startGitServer({ maxPackBytes: 8_000_000 });
});
afterEach(async () => {
  await server.close();
});

const post = (body: Buffer) => server.http(path, { method: "POST", headers, body });
const refs = async () => (await server.git(["--git-dir", server.repository, "for-each-ref"])).out;

async function makeWork(name = "work"): Promise<(...args: string[]) => ReturnType<TestServer["git"]>> {
  const work = join(server.folder, name);
  await server.git(["init", "--quiet", "--initial-branch=main", work]);
  const git = (...args: string[]) => server.git(["-C", work, ...args]);
  await git("commit", "--quiet", "--allow-empty", "-m", name);
  await git("remote", "add", "origin", server.remote());
  return git;
}

function commitOf(tree: Buffer): PackEntry {
  const who = "A <a@localhost> 0 +0000";
  return {
    type: 1,
    content: Buffer.from(`tree ${tree.toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nx\n`),
  };
}

/** Returns a push of one commit whose tree has the given entries, `mode name` to blob content. */
function pushOfTree(entries: readonly (readonly [string, Buffer])[]): Buffer {
  const blobs = entries.map(([, content]) => content);
  const tree = Buffer.concat(
    entries.flatMap(([entry, content]) => [Buffer.from(`${entry}\0`), objectId("blob", content)]),
  );
  const commit = commitOf(objectId("tree", tree));
  const pack = makePack([
    commit,
    { type: 2, content: tree },
    ...blobs.map((content) => ({ type: 3, content })),
  ]);
  return makePush("refs/heads/main", objectId("commit", commit.content).toString("hex"), pack);
}

withGit("what a push may change", () => {
  test("branches can be created and deleted, but not the default branch or other refs", async () => {
    const git = await makeWork();
    expect((await git("push", "origin", "main", "main:topic")).status).toBe(0);
    expect((await git("push", "origin", ":topic")).status).toBe(0);
    expect(server.pushes[1]).toMatch(new RegExp(`^[0-9a-f]{40} 0{40} refs/heads/topic$`));
    expect((await git("push", "origin", ":main")).err).toContain("deletion of the current branch prohibited");
    for (const ref of ["refs/hidden/x", "refs/replace/x"]) {
      expect((await git("push", "origin", `main:${ref}`)).err).toContain("deny updating a hidden ref");
    }
    expect((await git("push", "origin", "main:refs/heads/--output=x")).status).toBe(0);
    expect(await refs()).toMatch(/--output=x\n[0-9a-f]{40} commit\trefs\/heads\/main\n$/);
    expect(server.pushes).toHaveLength(3);
  });

  test("a refused ref fails an atomic push, and nothing is recorded", async () => {
    const git = await makeWork();
    await git("push", "origin", "main");
    const answer = await git("push", "--atomic", "origin", "main:new", "main:refs/hidden/x");
    expect(answer.status).not.toBe(0);
    expect(answer.err).toContain("atomic push failure");
    expect(await refs()).not.toContain("new");
    expect(server.pushes).toHaveLength(1);
  });

  test("a push that is not a fast-forward is rejected, and accepted with force", async () => {
    const git = await makeWork();
    await git("push", "origin", "main");
    await git("commit", "--amend", "--quiet", "--allow-empty", "-m", "other");
    expect((await git("push", "origin", "main")).err).toContain("rejected");
    expect((await git("push", "--force", "origin", "main")).status).toBe(0);
  });

  test("exactly one of two concurrent pushes to a ref succeeds", async () => {
    const [one, two] = [await makeWork("one"), await makeWork("two")];
    const answers = await Promise.all([one("push", "origin", "main"), two("push", "origin", "main")]);
    expect(answers.map(({ status }) => (status === 0 ? "ok" : "refused")).sort()).toEqual(["ok", "refused"]);
    expect(server.pushes).toHaveLength(1);
  });

  test("a large push arrives in chunks", async () => {
    const git = await makeWork();
    await writeFile(join(server.folder, "work", "blob"), randomBytes(5_000_000));
    await git("add", ".");
    await git("commit", "--quiet", "-m", "blob");
    expect(await git("-c", "http.postBuffer=65536", "push", "origin", "main")).toMatchObject({ status: 0 });
    expect((await server.git(["--git-dir", server.repository, "fsck", "--full"])).status).toBe(0);
  });
});

withGit("Git's messages about a push", () => {
  const name = (byteLength: number): string => `refs/heads/${"é".repeat(byteLength / 2)}`;
  const push = (ref: string, capabilities?: string): Buffer => {
    const orphan = commitOf(Buffer.alloc(20, 1));
    const id = objectId("commit", orphan.content).toString("hex");
    return makePush(ref, id, makePack([orphan]), capabilities);
  };

  test("a name with a part of over 250 bytes is refused in plain words before Git sees it", async () => {
    const git = await makeWork();
    expect((await git("push", "origin", `main:${name(250)}`)).status).toBe(0);
    for (const ref of [name(252), `refs/tags/${"a".repeat(251)}/b`]) {
      const answer = await git("push", "origin", "main:other", `main:${ref}`);
      expect(answer.status).not.toBe(0);
      expect(answer.err).toContain("a part of the name has more than 250 bytes");
      expect(answer.err).toContain("another name in the push is too long");
      expect(answer.err.split("\n").filter((line) => line.startsWith("remote:"))).toEqual([
        expect.stringMatching(/^remote: error: a part of a ref name is too long *$/),
      ]);
      expect(await server.receive(push(ref))).toContain("a part of the name has more than 250 bytes");
    }
    expect(server.pushes).toHaveLength(1);
  });

  test("contain no local path, with and without side bands", async () => {
    const git = await makeWork();
    await git("push", "origin", "main");
    await writeFile(join(server.repository, "refs", "heads", "held.lock"), "");
    for (const ref of ["held", "main/below", "a..b", ".lock", "missing"]) {
      const { err } = await git("push", "origin", `main:refs/heads/${ref}`);
      expect(err).not.toContain(server.folder);
      for (const capabilities of [
        "report-status",
        "report-status side-band-64k",
        "report-status-v2 atomic",
      ]) {
        const answer = (await post(push(`refs/heads/${ref}`, capabilities))).body.toString();
        expect(answer).toContain("ng ");
        expect(answer).not.toContain(server.folder);
      }
    }
    expect((await git("push", "origin", "main:held")).err).toContain(
      "failed on the host, whose log says why",
    );
    expect(server.log).toContainEqual(expect.stringMatching(/withheld.*held\.lock/));
    expect((await git("push", "origin", "main:main/below")).err).toContain("'refs/heads/main' exists");
    await writeFile(join(server.repository, "packed-refs"), "junk\n");
    expect((await git("push", "origin", "main:held")).err).not.toMatch(/packed-refs|junk/);
  });
});

withGit("a refused pack", () => {
  async function expectUntouched(): Promise<void> {
    expect(await refs()).toBe("");
    expect(server.pushes).toEqual([]);
    expect(await server.strays()).toEqual([]);
    expect(await readdir(join(server.repository, "objects", "pack"))).toEqual([]);
  }

  test("a push above the limit gets a message and leaves nothing", async () => {
    const git = await makeWork();
    await writeFile(join(server.folder, "work", "blob"), randomBytes(9_000_000));
    await git("add", ".");
    await git("commit", "--quiet", "-m", "blob");
    const chunked = await git("-c", "http.postBuffer=65536", "push", "origin", "main");
    expect(chunked.status).not.toBe(0);
    expect(chunked.err).toContain("pack exceeds maximum allowed size");
    expect(chunked.err).toContain("remote rejected");
    const whole = await git("-c", "http.postBuffer=20000000", "push", "origin", "main");
    expect(whole.err).toContain("413");
    await expectUntouched();
  });

  test.each([".git", ".GIT", ".git ", "git~1", "..", "a/b"])(
    "a tree that holds %j is refused",
    async (name) => {
      const answer = await post(pushOfTree([[`100644 ${name}`, Buffer.from("x")]]));
      expect(answer.body.toString()).toContain("ng refs/heads/main unpacker error");
      await expectUntouched();
    },
  );

  test("a symlinked .gitmodules is refused, an ordinary file is not", async () => {
    const answer = await post(pushOfTree([["120000 .gitmodules", Buffer.from("x")]]));
    expect(answer.body.toString()).toContain("ng refs/heads/main unpacker error");
    await expectUntouched();
    const fine = await post(pushOfTree([["100644 file", Buffer.from("x")]]));
    expect(fine.body.toString()).toContain("ok refs/heads/main");
  });

  test("a pack that is damaged, cut, or without its base or parent is refused", async () => {
    const good = pushOfTree([["100644 file", randomBytes(1000)]]);
    const flipped = Buffer.from(good);
    flipped.writeUInt8(flipped.readUInt8(good.length - 300) ^ 1, good.length - 300);
    const orphan = commitOf(Buffer.alloc(20, 1));
    const id = objectId("commit", orphan.content).toString("hex");
    const baseless = makePack([{ type: 7, base: Buffer.alloc(20, 9), content: makeDelta(10, 10, 1) }]);
    for (const body of [
      flipped,
      good.subarray(0, -400),
      good.subarray(0, -1),
      makePush("refs/heads/main", id, makePack([orphan])),
      makePush("refs/heads/main", id, baseless),
    ]) {
      expect((await post(body)).body.toString()).toContain("ng refs/heads/main");
      await expectUntouched();
    }
  });

  test("a megabyte that unpacks to five gigabytes is refused within seconds, with the reason", async () => {
    const base = Buffer.alloc(2 ** 23, randomBytes(64));
    const id = objectId("blob", base);
    const deltas = Array.from({ length: 600 }, () => ({
      type: 7,
      base: id,
      content: makeDelta(base.length, base.length, 1),
    }));
    const body = makePush(
      "refs/heads/main",
      "1".repeat(40),
      makePack([{ type: 3, content: base }, ...deltas]),
    );
    const startedMs = performance.now();
    const answer = await post(body);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(answer.body.toString()).toContain("unpack pack would unpack to far more than it may");
    await expectUntouched();
  });
});

describe.skipIf("missing" in machineGit)("a malformed push", () => {
  test.each([
    ["zzzz", 400],
    ["0003", 400],
    ["ffff", 400],
    ["0001", 400],
    ["00", 400],
    ["000bhello\n0000", 400],
    [`0068${"0".repeat(40)} ${"1".repeat(40)} refs/heads/a\u001b[31m\0 report-status0000`, 400],
    ["0000", 200],
  ])("%j gives %i", async (text, status) => {
    expect((await post(Buffer.from(text))).status).toBe(status);
    expect(server.pushes).toEqual([]);
  });

  test("one without a report, with options or with another hash is refused with the reason", async () => {
    for (const [capabilities, words] of [
      ["atomic", "report-status"],
      ["report-status push-options", "Push options"],
      ["report-status object-format=sha256", "SHA-1"],
    ] as const) {
      const answer = await post(makePush("refs/heads/x", "1".repeat(40), makePack([]), capabilities));
      expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining(words)]);
    }
  });
});

withGit("a client that goes away", () => {
  /** Sends the beginning of a push and leaves the connection open. */
  async function beginPush(): Promise<() => void> {
    const body = pushOfTree([["100644 file", randomBytes(3_000_000)]]);
    const socket = createConnection(Number(new URL(server.origin).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const lines = Object.entries({ ...headers, Host: "x", "Content-Length": String(body.length) });
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`);
    socket.write(body.subarray(0, 2_000_000));
    await vi.waitFor(async () => {
      expect((await server.strays()).length).toBeGreaterThan(0);
    }, 10_000);
    return () => socket.destroy();
  }

  const running = async () =>
    (await readdir(join(server.folder, "running"))).filter((name) => name.endsWith(".json"));

  test("in the middle of a push leaves no process and no file, and the next push succeeds", async () => {
    const leave = await beginPush();
    leave();
    await vi.waitFor(async () => {
      expect([await running(), await server.strays()]).toEqual([[], []]);
    }, 10_000);
    const git = await makeWork();
    expect((await git("push", "origin", "main")).status).toBe(0);
  });

  test("closing the host, or deleting the repository, ends such a push within seconds", async () => {
    await beginPush();
    await server.transport.endRepository("0123456789abcdef");
    expect([await running(), await server.strays()]).toEqual([[], []]);
    // Ids are never reused.
    expect((await post(Buffer.from("0000"))).status).toBe(404);
    await server.close();
    server = await startGitServer();
    await beginPush();
    await server.transport.close();
    expect([await running(), await server.strays()]).toEqual([[], []]);
    expect((await post(Buffer.from("0000"))).status).toBe(503);
  });

  test("a client that stops sending is given up", async () => {
    await server.close();
    server = await startGitServer({ idleMs: 300 });
    await beginPush();
    await vi.waitFor(async () => {
      expect([await running(), await server.strays()]).toEqual([[], []]);
    }, 10_000);
  });
});
