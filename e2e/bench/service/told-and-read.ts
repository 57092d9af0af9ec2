// Checks that a reader has each revision that another one has announced: each socket that hears of one asks the other
// reader at once for its manifest and its frame.
import { once } from "node:events";
import { Agent, get } from "node:http";
import { WebSocket } from "ws";
import { MrmsManifest } from "../../../shared/contract/index.ts";
import { toPath } from "../../../shared/contract/operations.ts";
import type { BenchRow } from "../bench-row.ts";
import { isShort, toRow } from "./service-row.ts";
import type { TwoReaders } from "./two-readers.ts";

const eventId = "told";
const socketsOfEach = isShort ? 2 : 20;
const revisions = isShort ? 5 : 2_500;

export async function measureMisses({ readers, publish }: TwoReaders): Promise<BenchRow[]> {
  const agent = new Agent({ keepAlive: true });
  const [first, second] = readers.map(({ origin }) => origin) as [string, string];
  let [asked, misses, told] = [0, 0, 0];
  let onAll: (() => void) | undefined;

  const askOther = async (other: string, revisionId: string): Promise<boolean> => {
    const manifest = await read(other + toPath("getRevisionManifest", { eventId, revisionId }), agent);
    if (manifest === undefined) return false;
    const { layers } = MrmsManifest.parse(JSON.parse(manifest.toString()));
    return (await read(other + layers[0]!.imageUrl, agent)) !== undefined;
  };
  const listen = async (teller: string, other: string): Promise<WebSocket> => {
    const socket = new WebSocket(`${teller.replace("http", "ws")}${toPath("openStream", { eventId })}`);
    await once(socket, "message");
    socket.on("message", (data: Buffer) => {
      const { revisionId } = JSON.parse(data.toString()) as { revisionId: string };
      void askOther(other, revisionId).then((isThere) => {
        asked += 1;
        if (!isThere) misses += 1;
        told += 1;
        if (told === 2 * socketsOfEach) onAll?.();
      });
    });
    return socket;
  };
  const sockets = await Promise.all(
    Array.from({ length: socketsOfEach }, () => [listen(first, second), listen(second, first)]).flat(),
  );
  for (let revision = 0; revision < revisions; revision += 1) {
    told = 0;
    const all = new Promise<void>((resolve) => (onAll = resolve));
    await publish(eventId);
    await all;
  }
  for (const socket of sockets) socket.terminate();
  agent.destroy();
  return [
    toRow({
      name: `told by one reader, read from the other, ${asked} times`,
      metric: "misses",
      ours: misses,
      target: "0",
      met: misses === 0,
      note: `${revisions} revisions, ${2 * socketsOfEach} sockets; manifest and frame`,
    }),
  ];
}

/** Returns undefined unless the status is 200. */
function read(url: string, agent: Agent): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve(response.statusCode === 200 ? Buffer.concat(chunks) : undefined);
      });
    }).on("error", reject);
  });
}
