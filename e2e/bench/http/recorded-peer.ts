// The peer that answers what our service answers, and does nothing else: bare node:http, in a process of its own, with the
// recorded bytes in memory.
import { once } from "node:events";
import type { RecordedAnswer } from "./bare-server.ts";
import { startProcess } from "./load.ts";

export interface RecordedPeer {
  readonly port: number;
  /** In the order of the paths. */
  readonly answers: readonly RecordedAnswer[];
  stop(): void;
}

/** Records what `origin` answers on each path, and starts the peer that answers the same. */
export async function startRecordedPeer(origin: string, paths: readonly string[]): Promise<RecordedPeer> {
  const answers = await Promise.all(paths.map((path) => record(origin, path)));
  const server = startProcess("bare-server.ts");
  server.send(answers);
  const [port] = (await once(server, "message")) as [number];
  return { port, answers, stop: () => void server.kill() };
}

async function record(origin: string, path: string): Promise<RecordedAnswer> {
  const response = await fetch(origin + path);
  const ownToEach = new Set(["date", "connection", "keep-alive"]);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ownToEach.has(name)));
  return { path, etag: response.headers.get("etag")!, headers, body: await response.bytes() };
}
