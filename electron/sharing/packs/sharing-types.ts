// The interface of pack sharing: what callers may ask for and what they get back. shares/sharing.ts implements it.
import type { Invitation, Pack, PackOrigin } from "../../../shared/contract/packs.ts";

/** The result of one export, import, push or fetch. */
export interface PackOutcome {
  readonly event: string;
  /** Newest commit of the pack, 40 hexadecimal digits. */
  readonly commit: string;
  readonly status: "complete" | "up to date";
  /**
   * Set by an import of a pack with other steps of a briefing: `taken` if they are stored now, `kept` if those that
   * somebody has changed here were left alone.
   */
  readonly steps?: "taken" | "kept";
  /** The same for overlays; `kept` if at least one of the event's own was left alone. */
  readonly overlays?: "taken" | "kept";
}

export interface PackWorkOptions {
  /** Work in two stages (write and send, receive and publish) counts from 0 again in the second. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with the event's id before anything of the event is written; an error it throws ends the work. */
  readonly onEvent?: (eventId: string) => void;
  readonly signal: AbortSignal;
}

/** A repository elsewhere. */
export interface PackPlace {
  /** A URL or a pairing code. */
  readonly address: string;
  readonly token: string | undefined;
}

/** A pack as the viewer lists it, except whether a token is stored for it. */
export type PackRecord = Omit<Pack, "gotFrom"> & { readonly gotFrom: Omit<PackOrigin, "hasToken"> | null };

/**
 * Packs of this computer's events in the repositories it hosts, and packs fetched from others. Every method throws
 * AppError.
 */
export interface PackSharing {
  /**
   * Creates the event's repository if it is missing, pushes, and keeps it current from then on. `conflict` while
   * hosting is off.
   */
  share(eventId: string, options: PackWorkOptions): Promise<PackOutcome>;
  /** Stops sharing and deletes the hosted repository with its tokens. `not-found` if the event is not shared. */
  unshare(eventId: string): Promise<void>;
  /** Creates a read token; returns it with the address. `not-found` if the event is not shared. */
  invite(eventId: string, ttlSeconds: number): Promise<Invitation>;
  get(place: PackPlace, options: PackWorkOptions): Promise<PackOutcome>;
  /** Fetches from the address used before. `not-found` if the event was never fetched. */
  getAgain(eventId: string, token: string | undefined, options: PackWorkOptions): Promise<PackOutcome>;
  push(eventId: string, place: PackPlace, options: PackWorkOptions): Promise<PackOutcome>;
  export(eventId: string, options: PackWorkOptions): Promise<PackOutcome>;
  list(): Promise<readonly PackRecord[]>;
  /** Checks for work again, after hosting was switched on or off. */
  wake(): void;
  /** Idempotent. */
  close(): Promise<void>;
}
