// A peer that sends the same responses as our service and does nothing else: bare node:http in its own process, with
// the recorded bytes in memory.
import { once } from "node:events";
import type { RecordedAnswer } from "./bare-server.ts";
import { startProcess } from "./load.ts";

export interface RecordedPeer {
  readonly port: number;
  /** The recorded responses, in the order of the paths. */
  readonly answers: readonly RecordedAnswer[];
  stop(): void;
}

/** Records the responses of `origin` on each path and starts a peer that repeats them. */
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
