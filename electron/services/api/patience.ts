// How long a request may take. A body may be gigabytes over a slow link, so that Node's limit on a whole request is off:
// what counts is that bytes flow. A REST body is small and has one limit for all of it.
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Patience {
  /** For a request's head, in ms. */
  readonly headMs: number;
  /** For the whole body of a REST request. */
  readonly restBodyMs: number;
  /** Without any byte either way while it is the client's turn: to send, or to take what is sent to it. */
  readonly idleMs: number;
  /** How often Node looks for heads that are late. */
  readonly checkMs: number;
}

export const usualPatience: Patience = {
  headMs: 10_000,
  restBodyMs: 30_000,
  idleMs: 120_000,
  checkMs: 5000,
};

/** Cuts the connection when the client leaves its turn unused. While the service works there is no limit. */
export function watchIdle(request: IncomingMessage, response: ServerResponse, idleMs: number): void {
  const { socket } = request;
  request.setTimeout(idleMs);
  response.on("timeout", () => {
    const isOurTurn = request.complete && response.writableLength === 0 && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(idleMs);
    else socket.destroy();
  });
}

/** Calls `giveUp` when a body has not come in time. */
export function limitBody(request: IncomingMessage, ms: number, giveUp: () => void): void {
  const hasBody =
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (!hasBody) return;
  const timer = setTimeout(giveUp, ms);
  const stop = (): void => {
    clearTimeout(timer);
  };
  request.once("end", stop).once("close", stop);
}
