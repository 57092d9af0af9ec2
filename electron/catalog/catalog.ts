// The catalog's interface: events, source assets and revisions as rows. The embedded implementation is SQLite; a shared
// service may put PostgreSQL behind the same functions, so nothing above this file may know which it is.
import type { AssetStatus } from "../../shared/contract/data-status.ts";
import type { Bounds, ProductId } from "../../shared/contract/primitives.ts";
import type { StormRevisionReady } from "../../shared/contract/messages.ts";
import type { StormEvent, StormEventKind } from "../../shared/contract/storm-event.ts";
import type { EventOrigin } from "../../shared/revisions/event-origin.ts";

export interface EventRecord extends Required<StormEvent> {
  readonly origin: EventOrigin;
  /** 0 while nothing has been published. */
  readonly latestSequence: number;
}

/** What a caller may say of an event that it ingests into; existing values stay where it says nothing. */
export interface EventDraft {
  readonly id: string;
  readonly kind?: StormEventKind;
  readonly label?: string;
  readonly origin?: EventOrigin;
}

export interface RevisionRecord {
  readonly eventId: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly observedAt: string;
  readonly publishedAt: string;
  /** The immutable manifest, UTF-8 JSON exactly as published. */
  readonly manifest: Uint8Array;
  /** SHA-256 of `manifest`, lower-case hex, as recorded at publication. */
  readonly manifestSha256: string;
}

/** One layer of a published revision, as the next revision of its window needs it. */
export interface PublishedLayer {
  readonly productId: ProductId;
  readonly observedAt: string;
  readonly frameId: string;
  readonly bounds: Bounds;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hex. */
  readonly messageSha256: string;
  readonly sourceUrl: string;
  readonly sourceLastModified: string | undefined;
}

export interface PublishDraft {
  readonly event: EventDraft;
  /**
   * The new layers: of one observation window, at most one a product; their frames are already in the frame store. The
   * window's other layer is carried over from its newest revision.
   */
  readonly layers: readonly PublishedLayer[];
  /** The assets that this publication completes, whether it makes a revision or not. */
  readonly assetIds: readonly number[];
}

export interface PublishOutcome {
  /** Undefined when every layer's message is already the newest of its time: nothing was published. */
  readonly revision: RevisionRecord | undefined;
  /** Products of the draft whose message is already the newest of its time. */
  readonly unchanged: readonly ProductId[];
}

export interface AssetDraft {
  readonly eventId: string;
  /** What tells this asset from others of the event: an absolute path or a URL. Never sent to a client. */
  readonly locator: string;
  readonly productId: ProductId | undefined;
  readonly observedAt: string | undefined;
  readonly byteLength: number | undefined;
  readonly sha256: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

export type AssetChange = Partial<Omit<AssetDraft, "eventId" | "locator">> & {
  readonly status: AssetStatus;
  readonly errorMessage?: string;
};

export interface AssetRecord extends AssetDraft {
  readonly id: number;
  readonly status: AssetStatus;
  readonly completedAt: string | undefined;
  readonly errorMessage: string | undefined;
}

/**
 * Reads see one committed state. Values returned are frozen snapshots: while nothing has been committed since, the same
 * call returns the same object, so a caller may key caches by identity.
 */
export interface CatalogReader {
  /** At most `limit` events, by `endedAt`, else `startedAt`, descending, then by id. */
  listEvents(limit: number): Promise<readonly EventRecord[]>;
  findEvent(eventId: string): Promise<EventRecord | undefined>;
  /** The newest `limit` revisions by sequence, in ascending sequence. */
  listRevisions(eventId: string, limit: number): Promise<readonly RevisionRecord[]>;
  findRevision(eventId: string, revisionId: string): Promise<RevisionRecord | undefined>;
  /** The revision of the highest sequence. */
  findLatestRevision(eventId: string): Promise<RevisionRecord | undefined>;
  /** Whether a published revision of the event shows this frame as this product. */
  hasFrame(eventId: string, productId: ProductId, frameId: string): Promise<boolean>;
  /** Notices of committed revisions after `sequence`, ascending, at most `limit`, the newest ones. */
  listNotices(eventId: string, afterSequence: number, limit: number): Promise<readonly StormRevisionReady[]>;
  /** The newest discovered asset of each product, across all events; assets of no known product are left out. */
  listNewestAssets(): Promise<readonly AssetRecord[]>;
  /** Changes whenever any process has committed; equal values mean that nothing has. Cheap. */
  readVersion(): Promise<number>;
  /** Calls back soon after any commit, of this process or another. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
}

export interface CatalogWriter {
  /** Inserts or rediscovers assets (same event and locator), status `discovered`. Returns ids in the same order. */
  discoverAssets(drafts: readonly AssetDraft[]): Promise<readonly number[]>;
  /**
   * Moves an asset to a status. `complete` sets `completedAt`, `failed` keeps `errorMessage`, every other status clears
   * both. Facts that are absent or undefined stay as they are. Steps on the way (`queued`, `processing`) may be lost in a
   * power cut.
   */
  updateAsset(id: number, change: AssetChange): Promise<void>;
  /** The layers of the newest revision that describes the window. Empty when the window was never published. */
  findWindowLayers(eventId: string, window: number): Promise<readonly PublishedLayer[]>;
  /** The newest published message of a product for exactly this observation time. */
  findPublishedMessage(
    eventId: string,
    productId: ProductId,
    observedAt: string,
  ): Promise<{ messageSha256: string; revisionId: string; sequence: number } | undefined>;
  /**
   * One transaction: compares with what is published, carries over the window's other layer, creates or updates the event,
   * allocates the next sequence, writes the immutable manifest, moves `currentRevisionId`, completes the assets. So two
   * processes that publish the same at the same moment make one revision. Throws `conflict` for an archived event, and
   * `source-invalid` for an observation too far ahead of an operational feed's clock.
   */
  publish(draft: PublishDraft): Promise<PublishOutcome>;
  /** Ends a manual ingest: an active historical event becomes complete. Unknown events are ignored. */
  completeEvent(eventId: string): Promise<void>;
}

export interface ReadableCatalog extends CatalogReader {
  close(): Promise<void>;
}

export interface Catalog extends ReadableCatalog, CatalogWriter {}
