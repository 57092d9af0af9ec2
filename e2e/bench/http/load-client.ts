// The client of the HTTP benchmarks, in its own process: repeats one request over keep-alive connections and counts
// complete responses. It is Node's own HTTP client, as programs use it, or a bare socket that reads only the length of
// a response, which measures almost only the server.
import { Agent, get } from "node:http";
import { connect } from "node:net";
import type { LoadOrder, LoadResult } from "./load.ts";

process.on("message", (order: LoadOrder) => {
  void run(order).then((result) => process.send!(result));
});

interface Count {
  answers: number;
  bytes: number;
  status: number;
  readonly timesMs: number[];
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const startedMs = performance.now();
  const untilMs = startedMs + order.durationMs;
  const ask = order.client === "node:http" ? askWithHttp : askWithSocket;
  const agent = new Agent({ keepAlive: true });
  const counts = await Promise.all(
    Array.from({ length: order.connections }, () => ask(order, untilMs, agent)),
  );
  agent.destroy();
  const timesMs = Float64Array.from(counts.flatMap((count) => count.timesMs)).sort();
  const timeAt = (part: number): number => timesMs[Math.floor((timesMs.length - 1) * part)]!;
  return {
    p95Ms: timeAt(0.95),
    p99Ms: timeAt(0.99),
    answers: counts.reduce((sum, { answers }) => sum + answers, 0),
    bytes: counts.reduce((sum, count) => sum + count.bytes, 0),
    elapsedMs: performance.now() - startedMs,
    status: counts[0]!.status,
  };
}

async function askWithHttp(order: LoadOrder, untilMs: number, agent: Agent): Promise<Count> {
  const count: Count = { answers: 0, bytes: 0, status: 0, timesMs: [] };
  for (let askedMs = performance.now(); askedMs < untilMs; askedMs = performance.now()) {
    const { status, bytes } = await fetchOnce(order, agent);
    count.timesMs.push(performance.now() - askedMs);
    count.status = status;
    count.bytes += bytes;
    count.answers += 1;
  }
  return count;
}

function fetchOnce(
  { port, path, headers }: LoadOrder,
  agent: Agent,
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path, headers, agent }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.byteLength));
      response.on("end", () => {
        resolve({ status: response.statusCode!, bytes });
      });
    });
    request.on("error", reject);
  });
}

/** Uses one connection with one request at a time. Every response must be as long as the first. */
function askWithSocket({ port, path, headers }: LoadOrder, untilMs: number): Promise<Count> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return new Promise((resolve, reject) => {
    const count: Count = { answers: 0, bytes: 0, status: 0, timesMs: [] };
    let askedMs = 0;
    let expected = 0;
    let received = 0;
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      // One buffer for everything received: allocating each chunk would be most of the client's work.
      onread: {
        buffer: Buffer.allocUnsafe(256 * 1024),
        callback(length, buffer) {
          if (expected === 0) ({ expected, status: count.status } = measureAnswer(buffer as Buffer, length));
          received += length;
          if (received > expected) socket.destroy(new Error("A response was longer than the first."));
          if (received < expected) return true;
          count.answers += 1;
          count.bytes += received;
          received = 0;
          const nowMs = performance.now();
          count.timesMs.push(nowMs - askedMs);
          askedMs = nowMs;
          if (nowMs < untilMs) socket.write(request);
          else socket.end();
          return true;
        },
      },
    });
    socket.once("connect", () => {
      askedMs = performance.now();
      socket.write(request);
    });
    socket.once("error", reject);
    socket.once("close", () => {
      resolve(count);
    });
  });
}

/** Returns the status and the length of the whole response, including headers, from its first chunk. */
function measureAnswer(buffer: Buffer, length: number): { expected: number; status: number } {
  const head = buffer.toString("latin1", 0, length);
  const headLength = head.indexOf("\r\n\r\n") + 4;
  const bodyLength = /^content-length: (\d+)/im.exec(head)?.[1];
  return { expected: headLength + Number(bodyLength ?? 0), status: Number(head.slice(9, 12)) };
}
