// What fetching and pushing a pack have in common: what they are given, and what they give back.
import type { RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import type { Effects } from "../../../platform/effects.ts";
import { usualHttpLimits } from "./http-client.ts";

export interface TransferOptions {
  readonly address: RemoteAddress;
  readonly token: string | undefined;
  /** The bare repository here. */
  readonly gitdir: string;
  readonly effects: Pick<Effects, "sleep" | "random">;
  /** Revisions that are done, of those that there are. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Told of the first commit that is here with all that it needs; what it throws ends the transfer. */
  readonly onFirstCommit?: (commit: string) => Promise<void>;
  /** Bytes of every body, in and out, as they pass. */
  readonly onBytes?: (byteLength: number) => void;
  readonly limits?: FetchLimits;
  readonly signal: AbortSignal;
}

export interface FetchLimits {
  /** Of everything that one call receives. */
  readonly maxBytes: number;
  /** Of one answer, which is in memory. */
  readonly maxBatchBytes: number;
  readonly idleMs: number;
}

export const usualFetchLimits: FetchLimits = {
  maxBytes: 2 ** 31,
  maxBatchBytes: 2 ** 28,
  idleMs: usualHttpLimits.idleMs,
};

export interface Transferred {
  /** Of `main`. */
  readonly commit: string;
  readonly status: "complete" | "up to date";
  /** How many requests carried something. */
  readonly packs: number;
  /** Of all packs. */
  readonly byteLength: number;
}
