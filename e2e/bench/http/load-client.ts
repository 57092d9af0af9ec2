// The client of the HTTP benchmarks, a process of its own: sends one request again and again over kept-alive connections
// and counts whole answers. It reads no more of an answer than its length, so that the server is what is measured.
import { connect } from "node:net";
import type { LoadOrder, LoadResult } from "./load.ts";

process.on("message", (order: LoadOrder) => {
  void run(order).then((result) => process.send!(result));
});

async function run({ port, request, connections, durationMs }: LoadOrder): Promise<LoadResult> {
  const bytes = Buffer.from(request, "latin1");
  const startedMs = performance.now();
  const untilMs = startedMs + durationMs;
  const counts = await Promise.all(Array.from({ length: connections }, () => ask(port, bytes, untilMs)));
  return {
    answers: counts.reduce((sum, { answers }) => sum + answers, 0),
    bytes: counts.reduce((sum, count) => sum + count.bytes, 0),
    elapsedMs: performance.now() - startedMs,
    status: counts[0]!.status,
  };
}

interface Count {
  answers: number;
  bytes: number;
  status: number;
}

/** One connection, one request at a time. Every answer must be as long as the first. */
function ask(port: number, request: Buffer, untilMs: number): Promise<Count> {
  return new Promise((resolve, reject) => {
    const count: Count = { answers: 0, bytes: 0, status: 0 };
    let expected = 0;
    let received = 0;
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      // One buffer for everything that comes in: allocating each piece would be most of the client's work.
      onread: {
        buffer: Buffer.allocUnsafe(256 * 1024),
        callback(length, buffer) {
          if (expected === 0) ({ expected, status: count.status } = measureAnswer(buffer as Buffer, length));
          received += length;
          if (received > expected) socket.destroy(new Error("An answer was longer than the first."));
          if (received < expected) return true;
          count.answers += 1;
          count.bytes += received;
          received = 0;
          if (performance.now() < untilMs) socket.write(request);
          else socket.end();
          return true;
        },
      },
    });
    socket.once("connect", () => socket.write(request));
    socket.once("error", reject);
    socket.once("close", () => {
      resolve(count);
    });
  });
}

/** Length of the whole answer, head included, and its status, from its first piece. */
function measureAnswer(buffer: Buffer, length: number): { expected: number; status: number } {
  const head = buffer.toString("latin1", 0, length);
  const headLength = head.indexOf("\r\n\r\n") + 4;
  const bodyLength = /^content-length: (\d+)/im.exec(head)?.[1];
  return { expected: headLength + Number(bodyLength ?? 0), status: Number(head.slice(9, 12)) };
}
