// Interface of the queue of archive backfills in a service. Any worker claims windows of an event, downloads and draws
// them; one process at a time publishes what was drawn, in order of observation. Claims run on the service's clock.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { AssetChange, FeedLogEntry, PublishDraft } from "../catalog.ts";

/** A file as its source lists it. */
export interface ListedFile {
  /** URL or absolute path, unique within the source. */
  readonly locator: string;
  /** Without folder. */
  readonly name: string;
  readonly productId: ProductId;
  /** From its name, such as `2024-02-28T02:52:39Z`. */
  readonly observedAt: string;
  readonly byteLength: number;
  /** Changes with the content; without quotes. */
  readonly etag: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

/** A file of a window. */
export interface QueuedFile {
  readonly asset: ListedFile;
  readonly assetId: number;
  /** ETag of the version that was published last. */
  readonly doneEtag: string | undefined;
}

export interface QueuedWindow {
  /** Number of the observation window. */
  readonly window: number;
  readonly files: readonly QueuedFile[];
}

export interface BackfillRequest {
  readonly eventId: string;
  /** Configuration of the source, JSON. */
  readonly source: unknown;
  /** Name of the source in the log. */
  readonly sourceName: string;
  /** False if a part of the source could not be listed: the event is then not complete. */
  readonly isWhole: boolean;
  readonly windows: readonly QueuedWindow[];
  readonly log: readonly FeedLogEntry[];
}

export interface OpenBackfill {
  readonly eventId: string;
  /** True if a window can be claimed. */
  readonly hasWork: boolean;
  /** True if the next window is drawn, or none is left. */
  readonly isReady: boolean;
}

/** A window that a worker has for itself. */
export interface WindowClaim extends QueuedWindow {
  readonly eventId: string;
  readonly source: unknown;
  /** Rises with every claim of the window. */
  readonly number: number;
  /** Earlier attempts that failed. */
  readonly failures: number;
  /** Earlier claims that expired: their workers ended. */
  readonly losses: number;
}

/** Result of a claim; its frames and sources are stored. */
export interface DrawnWindow {
  /** Revisions to publish, in order. */
  readonly drafts: readonly PublishDraft[];
  readonly assets: readonly { readonly id: number; readonly change: AssetChange }[];
  readonly log: readonly FeedLogEntry[];
  readonly hasFailed: boolean;
}

export const backfillStates = ["waiting", "drawing", "drawn", "published", "failed"] as const;
export type BackfillState = (typeof backfillStates)[number];
export type BackfillCounts = Readonly<Record<BackfillState, number>>;

export interface BackfillQueue {
  /**
   * Adds windows of an event. Those that are in the queue with the same files stay as they are; finished ones are
   * removed. Throws `not-found` if there is no such event.
   */
  enqueue(request: BackfillRequest): Promise<void>;
  /** Lists the events whose backfill is not finished. Writes nothing. */
  listOpen(): Promise<readonly OpenBackfill[]>;
  /** Claims the earliest free windows. A claim that is not renewed expires after 15 seconds. */
  claim(limit: number): Promise<readonly WindowClaim[]>;
  renew(claims: readonly WindowClaim[]): Promise<void>;
  /** Ends a claim with its result. Does nothing if another worker has the window. */
  finish(claim: WindowClaim, drawn: DrawnWindow): Promise<void>;
  /** Ends a claim without a result: the window is free after the delay. Does nothing if another worker has it. */
  postpone(claim: WindowClaim, delayMs: number, why: "failure" | "interruption"): Promise<void>;
  /**
   * Publishes the drawn windows of an event up to the first that is not drawn; completes the event after the last one.
   * Does nothing while another process does it. Throws `conflict` if another process has taken it over.
   */
  publishDrawn(eventId: string, signal: AbortSignal): Promise<void>;
  /** Counts windows by state, of one event or of all. */
  count(eventId?: string): Promise<BackfillCounts>;
}

/** Work that the processes of a service share. */
export interface ServiceWork {
  readonly backfills: BackfillQueue;
  /**
   * Removes objects that nothing refers to. Returns their number; undefined if a process of the service has done it
   * within 6 hours. Throws `storage-failed`, or the signal's reason.
   */
  sweep(signal: AbortSignal): Promise<number | undefined>;
  /** Returns the health of all feeds, whichever process leads them; while the database is away, the last one. */
  listFeeds(): Promise<readonly FeedHealth[]>;
}
