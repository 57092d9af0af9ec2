// Where pages come from, as the rest of the proxy sees it: asked once, answering in pieces that can be held back.
import type { Readable } from "node:stream";

export interface OriginRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn, of one connection none. */
  readonly headers: string[];
  /** Undefined where there is none: then the request may be repeated if its connection turns out to be dead. */
  readonly body: Readable | undefined;
}

/** Why there is no answer, or not all of one. */
export type OriginFailure =
  /** It cannot be reached, or goes away without a word. */
  | "unreachable"
  /** It takes too long. */
  | "timeout"
  /** What it says is not HTTP, or too much of it. */
  | "invalid";

/** Called in this order: `onHead` once, `onData` any number of times, then `onEnd`; or `onFailure`, and nothing after. */
export interface OriginListener {
  /** Names and values in turn, as they came. */
  readonly onHead: (status: number, statusText: string, rawHeaders: readonly string[]) => void;
  /** The bytes are the listener's own. */
  readonly onData: (bytes: Buffer) => void;
  /** Trailers, names and values in turn. */
  readonly onEnd: (rawTrailers: readonly string[]) => void;
  readonly onFailure: (failure: OriginFailure) => void;
}

export interface OriginExchange {
  /** A few pieces may still come. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Nothing is heard of it any more. Idempotent, and harmless once it is over. */
  readonly abort: () => void;
}

export interface Origin {
  /** The listener hears nothing before this has returned. */
  readonly send: (request: OriginRequest, listener: OriginListener) => OriginExchange;
  /** Ends every exchange. Idempotent. */
  readonly close: () => Promise<void>;
}
