// The receiving side of the notices benchmark: all sockets of all servers, and the moment at which each got a broadcast.
import { once } from "node:events";
import { WebSocket } from "ws";
import { clockMs } from "./clock.ts";

export interface ListenOrder {
  readonly urls: readonly string[];
  /** For each of the addresses. */
  readonly socketCount: number;
}

export interface Heard {
  /** One moment a socket of the broadcast's server, on the machine's steady clock, in order of arrival. */
  readonly atMs: readonly number[];
}

/** Handshakes under way at the same time. */
const opening = 100;

process.once("message", ({ urls, socketCount }: ListenOrder) => {
  void listen(urls, socketCount).then(() => process.send!("listening"));
});

async function listen(urls: readonly string[], socketCount: number): Promise<void> {
  let arrivals: number[] = [];
  const note = (): void => {
    arrivals.push(clockMs());
    if (arrivals.length < socketCount) return;
    process.send!({ atMs: arrivals } satisfies Heard);
    arrivals = [];
  };
  for (const url of urls) {
    for (let opened = 0; opened < socketCount; opened += opening) {
      const count = Math.min(opening, socketCount - opened);
      await Promise.all(Array.from({ length: count }, () => open(url, note)));
    }
  }
}

/** Resolves when the socket waits for broadcasts: a greeting, which the storm service sends, is behind it. */
async function open(url: string, note: () => void): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on("error", (error) => {
    throw error;
  });
  if (url.includes("/v1/")) await once(socket, "message");
  else await once(socket, "open");
  socket.on("message", note);
}
