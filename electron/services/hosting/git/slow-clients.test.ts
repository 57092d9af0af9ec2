import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makePack, makePush } from "../../../sharing/git/support/make-pack.ts";
import { machineGit, startGitServer, type TestServer } from "../support/transport-server.ts";

/** Starts a fetch, and sends a few bytes of its request. */
async function beginFetch(remote: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(remote);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  const head = [
    `POST ${pathname}/git-upload-pack HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Authorization: Bearer read-token",
    "Content-Type: application/x-git-upload-pack-request",
    "Transfer-Encoding: chunked",
  ];
  await new Promise((resolve) => socket.write(`${head.join("\r\n")}\r\n\r\n2\r\n00\r\n`, resolve));
  return socket;
}

/** Starts a push of one file, and sends `sent` bytes of its pack. */
async function beginPush(remote: string, byteLength: number, sent: number): Promise<Socket> {
  const { hostname, port, pathname } = new URL(remote);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  const pack = makePack([{ type: 3, content: randomBytes(byteLength) }]);
  const body = makePush("refs/heads/slow", "1".repeat(40), pack);
  const head = [
    `POST ${pathname}/git-receive-pack HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Authorization: Bearer write-token",
    "Content-Type: application/x-git-receive-pack-request",
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await new Promise((resolve) => socket.write(body.subarray(0, sent), resolve));
  return socket;
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
});
