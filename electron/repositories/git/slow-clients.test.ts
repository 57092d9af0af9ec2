import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { machineGit, startGitServer } from "./support/git-server.ts";

/** A fetch that was begun, of whose request a few bytes came. */
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

describe.skipIf("missing" in machineGit)("slow clients (needs Git)", () => {
  test("whoever sends the request of a fetch slowly holds up nobody", async () => {
    const server = await startGitServer({ fetchLimits: { inAll: 1, perRepository: 1, waiting: 0 } });
    onTestFinished(() => server.close());
    const sockets = await Promise.all([1, 2, 3].map(() => beginFetch(server.remote())));
    const answer = await server.http("/git/events/ev-a.git/info/refs?service=git-upload-pack", {
      headers: { Authorization: "Bearer read-token" },
    });
    expect(answer.status).toBe(200);
    // They are still there, and were not refused for want of a turn.
    expect(sockets.map(({ readableEnded, bytesRead }) => readableEnded || bytesRead > 0)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
