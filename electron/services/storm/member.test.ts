import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Member } from "./member.ts";

/** Returns a member and its client. */
async function connect(maxBufferedBytes: number) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  onTestFinished(() => {
    server.close();
  });
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.terminate();
  });
  const [socket] = (await once(server, "connection")) as [WebSocket];
  await once(client, "open");
  const gone = Promise.withResolvers<Member>();
  const member = new Member(socket, maxBufferedBytes, gone.resolve);
  return { client, socket, member, gone: gone.promise };
}

const chunk = Buffer.alloc(256 * 1024, "x");

test("drops a socket that does not read when its buffer exceeds the limit", async () => {
  const { client, socket, member, gone } = await connect(1024 * 1024);
  client.pause();
  let sent = 0;
  while (socket.readyState === WebSocket.OPEN && sent < 400) {
    member.send(chunk);
    sent += 1;
    expect(socket.bufferedAmount).toBeLessThan(1024 * 1024 + 2 * chunk.byteLength);
  }
  expect(sent).toBeLessThan(400);
  expect(await gone).toBe(member);
});

test("a heartbeat also drops a socket with a full buffer", async () => {
  const { client, socket, member, gone } = await connect(1024 * 1024);
  client.pause();
  while (socket.bufferedAmount <= 1024 * 1024) socket.send(chunk);
  member.beat();
  expect(await gone).toBe(member);
});

test("a socket that reads may get any amount", async () => {
  const { client, socket, member } = await connect(1024 * 1024);
  let received = 0;
  client.on("message", (data: Buffer) => (received += data.byteLength));
  for (let count = 0; count < 40; count += 1) {
    member.send(chunk);
    await expect.poll(() => socket.bufferedAmount, { interval: 1 }).toBe(0);
  }
  await expect.poll(() => received).toBe(40 * chunk.byteLength);
  expect(socket.readyState).toBe(WebSocket.OPEN);
});
