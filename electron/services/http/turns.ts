// Answers the requests of each connection one at a time, as HTTP/1.1 orders them, and closes one that has too many. A
// client may send a thousand requests at once and read no answer. Requests that wait count by their memory; and
// Node's parser, which would make a request of everything in one read, stops as it does before an upgrade.
import { IncomingMessage, type RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { connectionLimits } from "./http-limits.ts";

export interface Turns {
  /** Class of the server's requests. */
  readonly Request: typeof IncomingMessage;
  /** Returns true if the connection may bring no further request: close it when Node asks for an upgrade. */
  readonly isFull: (socket: Duplex) => boolean;
  /** Passes each request on when the answers before it on its connection are sent. */
  readonly inTurn: (listener: RequestListener) => RequestListener;
}

export function createTurns(): Turns {
  const waiting = new WeakMap<Duplex, number>();
  const add = (socket: Duplex, count: number): void => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + count);
  };
  const isFull = (socket: Duplex): boolean => (waiting.get(socket) ?? 0) >= connectionLimits.unanswered - 1;
  return {
    Request: createRequestClass(isFull),
    isFull,
    inTurn: (listener) => (request, response) => {
      // The answer before it was the last one.
      if (request.socket.writableEnded) return;
      // Node gives a response its socket when the one before it is sent.
      if (response.socket !== null) {
        listener(request, response);
        return;
      }
      const count = costOf(request);
      add(request.socket, count);
      response.once("socket", () => {
        add(request.socket, -count);
        listener(request, response);
      });
    },
  };
}

/** Memory of a header's name or value beside its characters, as measured. */
const stringBytes = 96;

/** Returns the number of ordinary requests that fill as much memory as this one while it waits. */
function costOf({ rawHeaders, headers }: IncomingMessage): number {
  // A body of unknown length may be long: nothing may follow it.
  if (headers["transfer-encoding"] !== undefined) return connectionLimits.unanswered;
  let bytes = Number(headers["content-length"] ?? 0);
  for (const text of rawHeaders) bytes += text.length + stringBytes;
  return Math.max(1, Math.ceil(bytes / connectionLimits.ordinaryRequestBytes));
}

function createRequestClass(isFull: (socket: Duplex) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare isOffered: boolean;
    declare isRefused: boolean;

    /** True for a refused request until its head is parsed: for a complete one, Node would copy all that it read. */
    get upgrade(): boolean {
      return this.isOffered || (this.isRefused && !this.complete);
    }

    set upgrade(isOffered: boolean) {
      this.isRefused = isFull(this.socket);
      this.isOffered = isOffered && !this.isRefused;
    }
  };
}
