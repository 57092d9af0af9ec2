// The catalog's interface: events, source assets and revisions as rows. The embedded implementation is SQLite; a shared
// service may put PostgreSQL behind the same functions, so nothing above this file may know which it is.
import type { AssetStatus } from "../../shared/contract/data-status.ts";
import type { Bounds, ProductId } from "../../shared/contract/primitives.ts";
import type { StormRevisionReady } from "../../shared/contract/messages.ts";
import type { StormEvent, StormEventKind } from "../../shared/contract/storm-event.ts";
import type { MrmsManifest } from "../../shared/contract/manifest.ts";
import type { EventOrigin } from "../../shared/revisions/event-origin.ts";
import type { RevisionChange } from "../../shared/revisions/revision-change.ts";

export interface TimeWindow {
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface EventRecord extends Required<StormEvent> {
  readonly origin: EventOrigin;
  /** 0 while nothing has been published. */
  readonly latestSequence: number;
  /** A window was registered: a manual ingest neither completes the event nor narrows it. */
  readonly isRegistered: boolean;
  /** As it was registered; the event's own window is its union with the data's. */
  readonly registeredWindow: TimeWindow | undefined;
  /**
   * The base URL of the service whose event this is a copy of, or `packOrigin` and the id of its pack's first commit;
   * publishing into it here is refused as `conflict`.
   */
  readonly mirrorOf: string | undefined;
  /** The event that this one shows again, and that one's sequence up to which it does. Only a replay adds to such an event. */
  readonly replayOf: { readonly eventId: string; readonly sequence: number } | undefined;
}

/** A benchmark window without data yet. */
export interface EventRegistration extends TimeWindow {
  readonly id: string;
  readonly label: string;
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
  /** SHA-256 of the source file as it was read, lower-case hex: what it is kept under, where it is kept. */
  readonly sourceSha256?: string | undefined;
}

export interface PublishDraft {
  readonly event: EventDraft;
  /**
   * The new layers: of one observation window, at most one a product; their frames are already in the frame store. The
   * window's other layer is carried over from its newest revision.
   */
  readonly layers: readonly PublishedLayer[];
  /** The layers' assets, in the order of the layers. Publishing completes them, also if it makes no revision. */
  readonly assetIds: readonly number[];
}

export interface PublishOutcome {
  /** Undefined if every layer is unchanged: nothing was published. */
  readonly revision: RevisionRecord | undefined;
  /** Products of the draft whose message is already the newest of its time, or whose asset is repeated. */
  readonly unchanged: readonly ProductId[];
  /** What the revision did; undefined when there is none. */
  readonly change: RevisionChange | undefined;
}

/** A revision of another service's event, or of an event pack's, taken as it is. */
export interface AdoptDraft {
  /** Base URL of the other service, or `packOrigin` and the id of the pack's first commit. */
  readonly mirrorOf: string;
  /** The other's row: id, kind, label, status, window, bounds and `updatedAt` are taken over. */
  readonly event: StormEvent;
  readonly revision: {
    readonly revisionId: string;
    readonly sequence: number;
    readonly observedAt: string;
    readonly publishedAt: string;
    readonly bounds: Bounds;
  };
  /** With every `imageUrl` already ours. */
  readonly manifest: MrmsManifest;
  /** UTF-8 JSON of exactly this manifest, to be stored as it is; without it, the manifest is written anew. */
  readonly manifestBytes?: Uint8Array | undefined;
  /**
   * One a layer of the manifest; their frames are already in the frame store. Where `messageSha256` is unknown, as it is
   * of another service, the frame's id stands for it.
   */
  readonly layers: readonly PublishedLayer[];
}

/** What `mirrorOf` begins with for an event out of a pack. Such an event goes on by the same pack alone. */
export const packOrigin = "pack:";

/** `known`: it was adopted before, and may have been pruned since. */
export type AdoptOutcome = "adopted" | "known";

/** One step of a replay. */
export interface RepublishDraft {
  /** The replay's own event, which the first step makes. */
  readonly eventId: string;
  /** The replay's newest sequence as the caller knows it; 0 before the first step. */
  readonly after: number;
  /** The revision to be shown again. */
  readonly of: Pick<RevisionRecord, "eventId" | "revisionId" | "sequence">;
}

export interface PruneOutcome {
  readonly revisions: number;
  readonly frames: number;
  /** Kept source files. */
  readonly sources: number;
}

export interface AssetDraft {
  readonly eventId: string;
  /** What tells this asset from others of the event: an absolute path or a URL. Never sent to a client. */
  readonly locator: string;
  readonly productId: ProductId | undefined;
  readonly observedAt: string | undefined;
  readonly byteLength: number | undefined;
  /** SHA-256 of the bytes that the asset was last completed with; a new discovery without it keeps it. */
  readonly sha256: string | undefined;
  readonly lastModifiedAt: string | undefined;
  /** The ETag under which the source listed or sent it. */
  readonly etag?: string | undefined;
}

export type AssetChange = Partial<Omit<AssetDraft, "eventId" | "locator">> & {
  readonly status: AssetStatus;
  readonly errorMessage?: string;
};

/** A source file by its content. */
export interface AssetBytes {
  /** SHA-256 of the file as it was read, lower-case hexadecimal. */
  readonly sha256: string;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hexadecimal. */
  readonly messageSha256: string;
}

export interface AssetRecord extends AssetDraft {
  readonly id: number;
  readonly status: AssetStatus;
  readonly completedAt: string | undefined;
  readonly errorMessage: string | undefined;
}

export const feedLogKinds = [
  "started",
  "stopped",
  "received",
  "published",
  "duplicate",
  "failed",
  "refused",
  "gap",
  "link-down",
  "link-up",
  "pruned",
] as const;
export type FeedLogKind = (typeof feedLogKinds)[number];

/** One thing that a feed, a fetch or a mirror did or met. */
export interface FeedLogEntry {
  readonly at: string;
  /** `noaa`, `bucket:https://host/…`, `folder:NAME`, `mirror:…`, `fetch …` */
  readonly source: string;
  readonly eventId: string;
  readonly kind: FeedLogKind;
  readonly productId?: ProductId | undefined;
  readonly observedAt?: string | undefined;
  /** URL, key or file name. Never sent to a client. */
  readonly locator?: string | undefined;
  readonly byteLength?: number | undefined;
  /** From the observation to arrival or publication. */
  readonly delayMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly revisionId?: string | undefined;
  readonly sequence?: number | undefined;
  readonly change?: RevisionChange | undefined;
  /** A sentence: why it failed, was refused, or is missing. */
  readonly message?: string | undefined;
}

export interface FeedLogRecord extends FeedLogEntry {
  /** Rises with every entry. */
  readonly id: number;
}

/** The log holds the newest entries only. */
export const feedLogLimit = 20_000;

export interface FeedLogQuery {
  readonly limit: number;
  /** Gives the oldest entries after this one; without it, the newest of all. */
  readonly afterId?: number | undefined;
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

/** What feeds, replays, mirrors and the command line read beside. Answers are fresh, and whole however long they are. */
export interface WorkReader {
  /** Every known asset of an event, by observation time, then locator; those without a time come first. */
  listAssets(eventId: string): Promise<readonly AssetRecord[]>;
  /** The layers of a revision in drawing order; empty when there is no such revision. */
  listLayers(eventId: string, revisionId: string): Promise<readonly PublishedLayer[]>;
  /** The revision of the lowest sequence above this one. */
  findRevisionAfter(eventId: string, sequence: number): Promise<RevisionRecord | undefined>;
  /** Entries in ascending id. */
  listFeedLog(query: FeedLogQuery): Promise<readonly FeedLogRecord[]>;
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
   * True if the asset was last completed with these bytes and a revision of its time shows their message. Such a file
   * changes nothing, also if another file has corrected its time since.
   */
  isRepeated(assetId: number, bytes: AssetBytes): Promise<boolean>;
  /**
   * One transaction: compares with what is published, carries over the window's other layer, creates or updates the event,
   * allocates the next sequence, writes the immutable manifest, moves `currentRevisionId`, completes the assets. So two
   * processes that publish the same at the same moment make one revision. Throws `conflict` for an archived or a mirrored
   * event, `source-invalid` for an observation too far ahead of an operational feed's clock, and `frame-missing` when the
   * frame of a layer is not in the store: put it again, and publish again (`publishAgainWhileFramesVanish`).
   */
  publish(draft: PublishDraft): Promise<PublishOutcome>;
  /**
   * Makes an active historical event without data. The same registration again changes nothing. Throws `conflict` when the
   * id is taken by anything else, `invalid-input` for an id, label or window that cannot be.
   */
  registerEvent(registration: EventRegistration): Promise<EventRecord>;
  /**
   * Ends an ingest: an active historical event becomes complete; a registered one only where `registered` says that its
   * window was filled. Unknown and mirrored events are ignored.
   */
  completeEvent(eventId: string, options?: { readonly registered?: boolean }): Promise<void>;
  /** Makes an event read-only for good. Idempotent. Throws `not-found`, and `conflict` for a mirrored event. */
  archiveEvent(eventId: string): Promise<void>;
  /**
   * Takes over the other's row of an event, without a revision. `currentRevisionId` and the sequence stay our own. Throws
   * `conflict` for an event that was made here, and for one that came in a pack, or in another one.
   */
  adoptEvent(mirrorOf: string, event: StormEvent): Promise<void>;
  /**
   * Takes over a revision and the other's row of its event, in one transaction. Throws `conflict` when the sequence goes
   * back or an id has other content than it had before, and as `adoptEvent` does; `invalid-input` when layers and manifest
   * do not fit; `frame-missing` as `publish` does.
   */
  adopt(draft: AdoptDraft): Promise<AdoptOutcome>;
  /** `adopt` for many revisions, in this order, in ONE transaction: all of them, or none where any is refused. */
  adoptAll(drafts: readonly AdoptDraft[]): Promise<readonly AdoptOutcome[]>;
  /**
   * Publishes a revision of another event again, as the next one of a replay: the same layers and manifest, but for ids,
   * sequence, publication time and disclosure. Throws `not-found` when the revision is there no more, `conflict` when the
   * event is not a replay of that one, is archived, or somebody else has added to it since `after`;
   * `stored-data-invalid` for a damaged manifest and `frame-missing` for a lost frame of the original.
   */
  republish(draft: RepublishDraft): Promise<RevisionRecord>;
  /**
   * Retention of an operational feed: removes revisions, and asset rows, of observations more than `keepMs` before the
   * event's newest, with the frames and kept sources that nothing else shows. The current revision stays. Does nothing for
   * other kinds and archived events, and while a backup holds retention off: the next call catches up.
   */
  prune(eventId: string, keepMs: number): Promise<PruneOutcome>;
  /** Removes kept sources (SHA-256) that no revision was made of. Those that one shows stay. Returns how many went. */
  discardSources(sha256s: readonly string[]): Promise<number>;
  /** Appends to the log, which forgets its oldest entries beyond `feedLogLimit`. */
  appendFeedLog(entries: readonly FeedLogEntry[]): Promise<void>;
}

export interface ReadableCatalog extends CatalogReader, WorkReader {
  close(): Promise<void>;
}

export interface Catalog extends ReadableCatalog, CatalogWriter {}
