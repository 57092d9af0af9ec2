// Options and results that fetching and pushing a pack share.
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
