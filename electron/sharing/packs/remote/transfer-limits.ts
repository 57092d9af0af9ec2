// Options, results and limits that fetching and pushing a pack share.
import type { RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import type { Effects } from "../../../platform/effects.ts";

export interface TransferOptions {
  /** The bare repository here. */
  readonly gitdir: string;
  readonly effects: Pick<Effects, "sleep" | "random">;
  /** In revisions. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/** A transfer with a repository elsewhere. */
export interface RemoteOptions extends TransferOptions {
  readonly address: RemoteAddress;
  readonly token: string | undefined;
  /** Called with the bytes of bodies, in and out, as they pass. */
  readonly onBytes?: (byteLength: number) => void;
}

export interface Transferred {
  /** Commit of `main`. */
  readonly commit: string;
  readonly status: "complete" | "up to date";
  /** Number of packfiles transferred, and their length. */
  readonly packs: number;
  readonly byteLength: number;
}

/** Limits of one connection. */
export const defaultHttpLimits = {
  /** Longest time without a byte in either direction. */
  idleMs: 60_000,
  /** Longest body of a response. */
  maxBytes: 2 ** 28,
};
export type HttpLimits = Readonly<typeof defaultHttpLimits>;

/** Limits of one fetch. */
export const defaultFetchLimits = {
  /** Bytes of all responses together. */
  maxBytes: 2 ** 31,
  /** Bytes of one response, which is held in memory. */
  maxBatchBytes: 2 ** 28,
  idleMs: 60_000,
};
export type FetchLimits = Readonly<typeof defaultFetchLimits>;

/** Longest response to a push. */
export const mostPushAnswerBytes = 2 ** 26;
/** Longest list of references: some hundred thousand, each many times its bytes once parsed. */
export const mostRefListBytes = 2 ** 24;
/** The most references in a request that moves no branch. */
export const mostCommands = 1000;

/** Size that a batch of revisions aims at, and the most revisions in one. */
export const batchAimBytes = 2 ** 25;
export const mostBatchRevisions = 256;

/** Retries of a lost connection, and the pauses before them; progress resets the count. */
export const mostRetries = 2;
export const retryPause = { firstMs: 1000, longestMs: 10_000 };

/** Packfiles of at most this size are joined into one when there are more than this many. */
export const smallPackBytes = 2 ** 22;
export const mostSmallPacks = 16;
