// Runs on the network of a site: viewers of one event, each with the viewer's own stream, through the proxies of both
// machines as a browser finds them. Tells its parent what they hear.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import type { LookupFunction } from "node:net";
import { WebSocket } from "ws";
import { EventStream } from "../../../../renderer/api/event-stream.ts";
import type { Socket, SocketHandlers } from "../../../../renderer/platform/socket.ts";
import type { StreamMessage } from "../../../../shared/contract/index.ts";

export type CrowdReport =
  /** A sequence was heard for the first time. */
  | { readonly kind: "heard"; readonly sequence: number; readonly revisionId: string; readonly atMs: number }
  /** Every viewer has heard this sequence or a later one. */
  | { readonly kind: "all-heard"; readonly sequence: number; readonly atMs: number }
  | { readonly kind: "open"; readonly count: number; readonly atMs: number }
  | { readonly kind: "contradiction"; readonly text: string }
  /** Answers of all viewers who read the newest revision: `revisionId ETag`, and how many got it. */
  | { readonly kind: "newest"; readonly answers: Readonly<Record<string, number>> };

/** `await-sequence`: report when all have heard it. `read-newest`: read it through the proxies, all viewers. */
export type CrowdOrder =
  | { readonly kind: "await-sequence"; readonly sequence: number }
  | { readonly kind: "read-newest" };

const [count, caFile, host, eventId, ...addresses] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  ...string[],
];
const size = Number(count);
const ca = readFileSync(caFile);
const tell = (report: CrowdReport): void => void process.send!(report);

/** Answers as a DNS server that turns its list for everybody. */
const lookup: LookupFunction = (_name, _options, callback) => {
  const first = Math.floor(Math.random() * addresses.length);
  const turned = [...addresses.slice(first), ...addresses.slice(0, first)];
  callback(
    null,
    turned.map((address) => ({ address, family: 4 })),
  );
};
const toProxies = {
  ca,
  lookup,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: 1_000,
  servername: host,
};

const newest = Array.from({ length: size }, () => 0);
const told = new Map<number, string>();
let open = 0;
let awaited = Infinity;

function openSocket(path: string, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(`wss://${host}${path}`, { ...toProxies, origin: `https://${host}` });
  let isOver = false;
  let isOpen = false;
  const end = (): void => {
    if (isOpen) change(-1);
    isOpen = false;
    if (isOver) return;
    isOver = true;
    handlers.onEnd();
  };
  socket.on("open", () => {
    isOpen = true;
    change(1);
    handlers.onOpen();
  });
  socket.on("message", (data: Buffer) => {
    if (!isOver) handlers.onMessage(data.toString("utf8"));
  });
  socket.on("close", end);
  socket.on("error", end);
  return {
    send: (text) => {
      socket.send(text);
    },
    close: () => {
      isOver = true;
      if (isOpen) change(-1);
      isOpen = false;
      socket.terminate();
    },
  };
}

function change(by: 1 | -1): void {
  open += by;
  tell({ kind: "open", count: open, atMs: Date.now() });
}

function hear(viewer: number, message: StreamMessage): void {
  const notice = message.type === "stream.ready" ? message.lastRevision : message;
  if (!notice) return;
  const { sequence, revisionId } = notice;
  const before = told.get(sequence);
  if (before === undefined) {
    told.set(sequence, revisionId);
    tell({ kind: "heard", sequence, revisionId, atMs: Date.now() });
  } else if (before !== revisionId) {
    tell({ kind: "contradiction", text: `${sequence}: ${before}, then ${revisionId}` });
  }
  if (sequence < newest[viewer]!) {
    tell({ kind: "contradiction", text: `viewer ${viewer}: ${newest[viewer]}, then ${sequence}` });
  }
  newest[viewer] = Math.max(newest[viewer]!, sequence);
  look();
}

function look(): void {
  if (newest.some((sequence) => sequence < awaited)) return;
  tell({ kind: "all-heard", sequence: awaited, atMs: Date.now() });
  awaited = Infinity;
}

async function readNewest(): Promise<void> {
  const agent = new Agent({ ...toProxies, keepAlive: true, maxSockets: 16 });
  const answers: Record<string, number> = {};
  const read = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const path = `/v1/storm-events/${eventId}/manifest`;
      const sent = request({ host, path, agent, headers: { host } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { revisionId } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { revisionId: string };
          const answer = `${revisionId} ${response.headers.etag}`;
          answers[answer] = (answers[answer] ?? 0) + 1;
          resolve();
        });
      });
      sent.on("error", reject);
      sent.end();
    });
  await Promise.all(newest.map(read));
  agent.destroy();
  tell({ kind: "newest", answers });
}

process.on("message", (order: CrowdOrder) => {
  if (order.kind === "read-newest") {
    void readNewest();
    return;
  }
  awaited = order.sequence;
  look();
});
process.once("disconnect", () => process.exit());

for (let viewer = 0; viewer < size; viewer += 1) {
  new EventStream({
    eventId,
    openSocket,
    random: Math.random,
    onState: () => undefined,
    onMessage: (message) => {
      hear(viewer, message);
    },
  });
}
