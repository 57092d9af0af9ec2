// The receiving side of the notices benchmark: all sockets of both servers, and the time at which each received a
// broadcast.
import { once } from "node:events";
import { WebSocket } from "ws";
import { clockMs } from "./clock.ts";

export interface ListenOrder {
  readonly urls: readonly string[];
  /** Number of sockets per address. */
  readonly socketCount: number;
  /** Number of sockets that hear one broadcast. */
  readonly arrivalCount: number;
}

export interface Heard {
  /** One arrival time per socket of the broadcast, in order of arrival, on the machine's monotonic clock. */
  readonly atMs: readonly number[];
}

/** Maximum number of concurrent handshakes. */
const opening = 100;

process.once("message", (order: ListenOrder) => {
  void listen(order).then(() => process.send!("listening"));
});

async function listen({ urls, socketCount, arrivalCount }: ListenOrder): Promise<void> {
  let arrivals: number[] = [];
  const note = (): void => {
    arrivals.push(clockMs());
    if (arrivals.length < arrivalCount) return;
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

/** Resolves when the socket is ready for broadcasts, after any greeting; the storm service sends one. */
async function open(url: string, note: () => void): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on("error", (error) => {
    throw error;
  });
  if (url.includes("/v1/")) await once(socket, "message");
  else await once(socket, "open");
  socket.on("message", note);
}
