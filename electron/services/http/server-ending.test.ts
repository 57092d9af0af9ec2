import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createServerEnding } from "./server-ending.ts";

/** A server whose answers the test sends. */
async function startServer() {
  const asked: ServerResponse[] = [];
  const server = createServer((_request, response) => asked.push(response));
  const ending = createServerEnding(server);
  onTestFinished(() => ending.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  /** Sends requests on one connection, and waits until the first is being answered. */
  const ask = async (count = 1): Promise<{ readonly socket: Socket; readonly received: Promise<string> }> => {
    const before = asked.length;
    const socket = connect(port, "127.0.0.1");
    const received = text(socket);
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    return { socket, received };
  };
  return { asked, ending, port, ask };
}

test("a drain refuses connections, ends each with its answer, and is over with the last", async () => {
  const { asked, ending, port, ask } = await startServer();
  const begun = await ask();
  asked[0]!.writeHead(200, { "content-length": 4 }).write("ab");
  const waiting = await ask();
  let isOver = false;
  const drained = ending.drain(60_000).then(() => (isOver = true));
  const [error] = (await once(connect(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNREFUSED");
  asked[1]!.end("later");
  expect(await waiting.received).toMatch(/later$/);
  expect(isOver).toBe(false);
  asked[0]!.end("cd");
  expect(await begun.received).toMatch(/abcd$/);
  await drained;
});

test("an answer that takes longer than the drain is cut off", async () => {
  const { asked, ending, ask } = await startServer();
  const { received } = await ask();
  asked[0]!.writeHead(200, { "content-length": 4 }).write("ab");
  await ending.drain(50);
  expect(await received.catch(() => "cut")).not.toMatch(/abcd$/);
});

test("closing ends a drain within a bounded time", async () => {
  const { ending, ask } = await startServer();
  await ask();
  const drained = ending.drain(3_600_000);
  await ending.close();
  await drained;
  await ending.close();
});

test("a connection that waits for its next request ends at once", async () => {
  const { asked, ending, ask } = await startServer();
  const { socket, received } = await ask();
  asked[0]!.end("done");
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
  await ending.drain(3_600_000);
  expect(await received).toMatch(/done$/);
});
