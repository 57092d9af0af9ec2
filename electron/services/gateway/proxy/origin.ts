// The interface of an origin: it is asked once and answers in chunks that can be held back.
import type { Readable } from "node:stream";

export interface OriginRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values alternating, without those of one connection. */
  readonly headers: string[];
  /** Undefined without one: then the request may be repeated if its connection turns out to be dead. */
  readonly body: Readable | undefined;
}

/** Why there is no complete response. */
export type OriginFailure =
  /** No connection, or the connection ended early. */
  | "unreachable"
  | "timeout"
  /** The response is not HTTP, or its head is too long. */
  | "invalid";

/** Called in this order: `onHead` once, `onData` any number of times, `onEnd`; or `onFailure`, and nothing after. */
export interface OriginListener {
  /** Names and values alternating, as received. */
  readonly onHead: (status: number, statusText: string, rawHeaders: readonly string[]) => void;
  /** The listener owns the bytes. */
  readonly onData: (bytes: Buffer) => void;
  /** Trailers, names and values alternating. */
  readonly onEnd: (rawTrailers: readonly string[]) => void;
  readonly onFailure: (failure: OriginFailure) => void;
}

export interface OriginExchange {
  /** A few chunks may still follow. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Nothing follows. Idempotent, and harmless after the end. */
  readonly abort: () => void;
}

export interface Origin {
  /** The listener is not called before this has returned. */
  readonly send: (request: OriginRequest, listener: OriginListener) => OriginExchange;
  /** Ends every exchange. Idempotent. */
  readonly close: () => Promise<void>;
}
