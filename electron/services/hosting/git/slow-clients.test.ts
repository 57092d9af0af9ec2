import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { deflateSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { flushPkt, formatPkt } from "../../../sharing/git/pkt-line.ts";
import { makePack, makePush, objectId } from "../../../sharing/git/support/make-pack.ts";
import { machineGit, startGitServer, type TestServer } from "../support/transport-server.ts";

/** Sends the head of a request and some of its body; reads nothing. */
async function beginPost(
  remote: string,
  service: "upload" | "receive",
  headers: readonly string[],
  sent: Buffer,
): Promise<Socket> {
  const { hostname, port, pathname } = new URL(remote);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  const head = [
    `POST ${pathname}/git-${service}-pack HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${service === "upload" ? "read" : "write"}-token`,
    `Content-Type: application/x-git-${service}-pack-request`,
    ...headers,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await new Promise((resolve) => socket.write(sent, resolve));
  return socket;
}

/** Starts a fetch, and sends a few bytes of its request. */
const beginFetch = (remote: string): Promise<Socket> =>
  beginPost(remote, "upload", ["Transfer-Encoding: chunked"], Buffer.from("2\r\n00\r\n"));

/** Starts a push of one file, and sends `sent` bytes of its pack. */
function beginPush(remote: string, byteLength: number, sent: number): Promise<Socket> {
  const pack = makePack([{ type: 3, content: randomBytes(byteLength) }]);
  const body = makePush("refs/heads/slow", "1".repeat(40), pack);
  return beginPost(remote, "receive", [`Content-Length: ${body.length}`], body.subarray(0, sent));
}

/** More than the system holds for a client that reads nothing. */
const storedBytes = 12_000_000;

/** Pushes one large file, and returns the commit. */
async function store(server: TestServer): Promise<string> {
  const content = randomBytes(storedBytes);
  const tree = Buffer.concat([Buffer.from("100644 file\0"), objectId("blob", content)]);
  const who = "A <a@localhost> 0 +0000";
  const treeId = objectId("tree", tree).toString("hex");
  const commit = Buffer.from(`tree ${treeId}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  const entries = [
    { type: 1, content: commit },
    { type: 2, content: tree },
    { type: 3, content, deflated: deflateSync(content, { level: 0 }) },
  ];
  const id = objectId("commit", commit).toString("hex");
  expect(await server.receive(makePush("refs/heads/main", id, makePack(entries)))).toContain("unpack ok");
  return id;
}

/** Starts clones that read nothing; the first `running` of them have a slot. */
async function beginClones(server: TestServer, count: number, running: number): Promise<readonly Socket[]> {
  const want = formatPkt(`want ${await store(server)} side-band-64k no-progress\n`);
  const body = Buffer.concat([want, flushPkt, formatPkt("done\n")]);
  const sockets = [];
  for (let at = 0; at < count; at += 1) {
    const socket = await beginPost(server.remote(), "upload", [`Content-Length: ${body.length}`], body);
    sockets.push(socket);
    if (at < running) await vi.waitUntil(() => socket.bytesRead > 0, 10_000);
  }
  return sockets;
}

/** Reads a connection to its end, and returns the number of bytes. */
async function drain(socket: Socket): Promise<number> {
  let byteLength = 0;
  socket.on("data", (piece: Buffer) => {
    byteLength += piece.length;
    // The end of the last chunk of an answer.
    if (piece.subarray(-5).equals(Buffer.from("0\r\n\r\n"))) socket.end();
  });
  await finished(socket, { writable: false }).catch(() => undefined);
  return byteLength;
}

async function pushFrom(server: TestServer, name: string): Promise<number> {
  const work = join(server.folder, name);
  await server.git(["init", "--quiet", "--initial-branch=main", work]);
  await server.git(["-C", work, "commit", "--quiet", "--allow-empty", "-m", name]);
  return (await server.git(["-C", work, "push", "--quiet", server.remote(), `main:${name}`])).status;
}

describe.skipIf("missing" in machineGit)("slow clients (needs Git)", () => {
  test("a slow push of usual size delays nobody", async () => {
    const server = await startGitServer();
    onTestFinished(() => server.close());
    const sockets = [
      await beginPush(server.remote(), 900_000, 300),
      await beginPush(server.remote(), 900_000, 500_000),
    ];
    expect(await pushFrom(server, "quick")).toBe(0);
    expect(sockets.map(({ bytesRead }) => bytesRead)).toEqual([0, 0]);
  });

  test("a slow push of a large pack is given up, with the reason, once another push waits", async () => {
    const server = await startGitServer({ maxPackBytes: 64_000_000, patienceMs: 200 });
    onTestFinished(() => server.close());
    const socket = await beginPush(server.remote(), 6_000_000, 5_000_000);
    const answer = new Promise<string>((resolve) => {
      socket.once("data", (piece: Buffer) => {
        resolve(piece.toString("latin1"));
      });
    });
    await vi.waitFor(async () => {
      expect(await server.strays()).not.toEqual([]);
    }, 10_000);
    expect(socket.bytesRead).toBe(0);
    expect(await pushFrom(server, "quick")).toBe(0);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*too slowly while others waited/);
    expect(await server.strays()).toEqual([]);
  }, 30_000);

  test("a slow request of a fetch delays nobody", async () => {
    const server = await startGitServer({ fetchLimits: { total: 1, perKey: 1, waiting: 0 } });
    onTestFinished(() => server.close());
    const sockets = await Promise.all([1, 2, 3].map(() => beginFetch(server.remote())));
    const answer = await server.http("/git/events/ev-a.git/info/refs?service=git-upload-pack", {
      headers: { Authorization: "Bearer read-token" },
    });
    expect(answer.status).toBe(200);
    // They are still connected, and were not refused for lack of a slot.
    expect(sockets.map(({ readableEnded, bytesRead }) => readableEnded || bytesRead > 0)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("clones that nobody reads delay no list of refs, and are not cut off while no clone waits", async () => {
    const server = await startGitServer({
      fetchLimits: { total: 2, perKey: 2, waiting: 9 },
      patienceMs: 20,
    });
    onTestFinished(() => server.close());
    const clones = await beginClones(server, 2, 2);
    for (const version of [0, 2]) {
      const list = await server.git(["-c", `protocol.version=${version}`, "ls-remote", server.remote()]);
      expect(list).toMatchObject({ status: 0, out: expect.stringContaining("refs/heads/main") as string });
    }
    for (const byteLength of await Promise.all(clones.map(drain))) {
      expect(byteLength).toBeGreaterThan(storedBytes);
    }
  });

  test("a clone under way ends with its token, and no other clone does", async () => {
    const server = await startGitServer();
    onTestFinished(() => server.close());
    const [clone] = await beginClones(server, 1, 1);
    server.transport.endToken("another");
    expect(clone!.readableEnded || clone!.destroyed).toBe(false);
    server.transport.endToken("read-id");
    expect(await drain(clone!)).toBeLessThan(storedBytes);
    await vi.waitFor(async () => {
      expect(await readdir(join(server.folder, "running"))).toEqual(["home"]);
    }, 10_000);
    const list = await server.git(["ls-remote", server.remote("read-token")]);
    expect(list.err).toContain("revoked");
  });

  test("clones that nobody reads are cut off once another clone waits", async () => {
    const server = await startGitServer({
      fetchLimits: { total: 2, perKey: 2, waiting: 9 },
      patienceMs: 100,
    });
    onTestFinished(() => server.close());
    const clones = await beginClones(server, 8, 2);
    const clone = ["clone", "--quiet", "--bare", server.remote(), join(server.folder, "clone")];
    expect(await server.git(clone)).toMatchObject({ status: 0 });
    expect(server.log.filter((line) => line.includes("cut off"))).toContainEqual(
      expect.stringContaining("too slowly while others waited"),
    );
    for (const socket of clones.slice(0, 2)) expect(await drain(socket)).toBeLessThan(storedBytes);
  });
});
