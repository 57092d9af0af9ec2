// An origin below HTTP that sends any bytes; ended with the test.
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawOrigin {
  readonly url: string;
  /** Heads of requests as received, latin1. */
  readonly heads: readonly string[];
  readonly connections: () => number;
}

/** Calls `answer` with each request's complete head. */
export async function startRawOrigin(answer: (socket: Socket, head: string) => void): Promise<RawOrigin> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let waiting = "";
    socket.on("data", (piece: Buffer) => {
      waiting += piece.toString("latin1");
      for (let end = waiting.indexOf("\r\n\r\n"); end >= 0; end = waiting.indexOf("\r\n\r\n")) {
        const head = waiting.slice(0, end + 4);
        waiting = waiting.slice(end + 4);
        heads.push(head);
        answer(socket, head);
      }
    });
    socket.on("error", () => {
      // `close` follows.
    });
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    const closed = once(server, "close");
    server.close();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heads, connections: () => connections };
}
