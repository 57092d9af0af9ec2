// Interface of the catalog: events, source assets and revisions. The embedded implementation is SQLite; a shared
// service may use PostgreSQL, so callers must not depend on either.
import type { AssetStatus } from "../../shared/contract/data-status.ts";
import type { KeptOverlay } from "../../shared/contract/overlays.ts";
import type { Bounds, ProductId } from "../../shared/contract/primitives.ts";
import type { StormRevisionReady } from "../../shared/contract/messages.ts";
import type { StormEvent, StormEventKind } from "../../shared/contract/storm-event.ts";
import type { MrmsManifest } from "../../shared/contract/manifest.ts";
import type { EventOrigin } from "../../shared/revisions/event-origin.ts";
import type { RevisionChange } from "../../shared/revisions/publication.ts";

export interface TimeWindow {
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface EventRecord extends Required<StormEvent> {
  readonly origin: EventOrigin;
  /** 0 until something is published. */
  readonly latestSequence: number;
  /** True if a window was registered: a manual ingest neither completes nor narrows the event. */
  readonly isRegistered: boolean;
  /** Window as registered; the event's own window is its union with the data's. */
  readonly registeredWindow: TimeWindow | undefined;
  /**
   * Base URL of the service whose event this copies, or `packOrigin` and the id of the pack's first commit. Publishing
   * into such an event throws `conflict`.
   */
  readonly mirrorOf: string | undefined;
  /** Original event of a replay, and its last replayed sequence. Only the replay adds to such an event. */
  readonly replayOf: { readonly eventId: string; readonly sequence: number } | undefined;
}

/** A benchmark window, before it has data. */
export interface EventRegistration extends TimeWindow {
  readonly id: string;
  readonly label: string;
}

/** Facts about the event of an ingest. Absent ones keep their stored values. */
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
  /** Immutable manifest, UTF-8 JSON exactly as published. */
  readonly manifest: Uint8Array;
  /** SHA-256 of `manifest` at publication, lower-case hex. */
  readonly manifestSha256: string;
}

/** A revision and what it did to its window. */
export interface ChangeRecord {
  readonly revision: RevisionRecord;
  readonly change: RevisionChange;
}

/** One layer of a published revision. */
export interface PublishedLayer {
  readonly productId: ProductId;
  readonly observedAt: string;
  readonly frameId: string;
  readonly bounds: Bounds;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hex. */
  readonly messageSha256: string;
  readonly sourceUrl: string;
  readonly sourceLastModified: string | undefined;
  /** SHA-256 of the source file as read, lower-case hex; its name in the source store. */
  readonly sourceSha256?: string | undefined;
}

/** Message of a published layer, and the revision that shows it. */
export interface PublishedMessage {
  readonly messageSha256: string;
  readonly revisionId: string;
  readonly sequence: number;
}

export interface PublishDraft {
  readonly event: EventDraft;
  /**
   * New layers of one observation window, at most one for each product. Their frames are already stored. The window's
   * other layer is taken from its newest revision.
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
  /** Kind of change; undefined if there is no revision. */
  readonly change: RevisionChange | undefined;
}

/** A revision of a remote service or of an event pack, to be adopted unchanged. */
export interface AdoptDraft {
  /** Base URL of the remote, or `packOrigin` and the id of the pack's first commit. */
  readonly mirrorOf: string;
  /** The remote's event: id, kind, label, status, window, bounds and `updatedAt` are adopted. */
  readonly event: StormEvent;
  readonly revision: Pick<
    StormRevisionReady,
    "revisionId" | "sequence" | "observedAt" | "publishedAt" | "bounds"
  >;
  /** Manifest with local image URLs. */
  readonly manifest: MrmsManifest;
  /** UTF-8 JSON of this manifest, stored unchanged; serialized again if absent. */
  readonly manifestBytes?: Uint8Array | undefined;
  /**
   * One for each layer of the manifest. Their frames are already stored. A remote's `messageSha256` is unknown; the
   * frame id stands for it.
   */
  readonly layers: readonly PublishedLayer[];
}

/** Prefix of `mirrorOf` for an event from a pack. Only the same pack may add to such an event. */
export const packOrigin = "pack:";

/** `known` if it was adopted before; it may have been pruned since. */
export type AdoptOutcome = "adopted" | "known";

/** One step of a replay. */
export interface RepublishDraft {
  /** Event of the replay; the first step creates it. */
  readonly eventId: string;
  /** Newest sequence of the replay that the caller knows; 0 before the first step. */
  readonly after: number;
  /** Original revision. */
  readonly of: Pick<RevisionRecord, "eventId" | "revisionId" | "sequence">;
}

export interface PruneOutcome {
  readonly revisions: number;
  readonly frames: number;
  /** Stored source files. */
  readonly sources: number;
}

export interface AssetDraft {
  readonly eventId: string;
  /** Absolute path or URL; unique in its event. Never sent to a client. */
  readonly locator: string;
  readonly productId: ProductId | undefined;
  readonly observedAt: string | undefined;
  readonly byteLength: number | undefined;
  /** SHA-256 of the bytes that the asset was last completed with; a new discovery without it keeps it. */
  readonly sha256: string | undefined;
  readonly lastModifiedAt: string | undefined;
  /** ETag from the source. */
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

/** An entry in the log of feeds, fetches and mirrors. */
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
  /** Time from observation to arrival or publication. */
  readonly delayMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly revisionId?: string | undefined;
  readonly sequence?: number | undefined;
  readonly change?: RevisionChange | undefined;
  /** Why it failed, was refused or is missing, in a sentence. */
  readonly message?: string | undefined;
}

export interface FeedLogRecord extends FeedLogEntry {
  /** Increases with each entry. */
  readonly id: number;
}

/** The steps of an event's briefing; `document` is UTF-8 JSON of `BriefingSteps`, as it was saved. */
export interface StepsRecord {
  readonly eventId: string;
  /** Rises with each change, from 1. */
  readonly version: number;
  readonly changedAt: string;
  readonly document: string;
}

export interface StepsDraft extends Pick<StepsRecord, "eventId" | "document"> {
  /** Version that the new one replaces; 0 if there was none. */
  readonly basedOn: number;
}

/** A file to keep with an event. */
export interface OverlayDraft {
  readonly eventId: string;
  readonly facts: Omit<KeptOverlay, "sha256" | "byteLength">;
  readonly bytes: Uint8Array;
}

/** The most entries in the log; the oldest are removed. */
export const feedLogLimit = 20_000;

export interface FeedLogQuery {
  readonly limit: number;
  /** Returns the oldest entries after this one; if absent, the newest of all. */
  readonly afterId?: number | undefined;
}

/**
 * Reads see one committed state and return frozen snapshots. Until the next commit, the same call returns the same
 * object, so callers may key caches by identity.
 */
export interface CatalogReader {
  /** Lists at most `limit` events, by `endedAt`, else `startedAt`, descending, then by id. */
  listEvents(limit: number): Promise<readonly EventRecord[]>;
  findEvent(eventId: string): Promise<EventRecord | undefined>;
  /** Lists the newest `limit` revisions, in ascending sequence. */
  listRevisions(eventId: string, limit: number): Promise<readonly RevisionRecord[]>;
  /** Lists the newest `limit` revisions before a sequence, or of all, in ascending sequence. */
  listChanges(eventId: string, limit: number, before?: number): Promise<readonly ChangeRecord[]>;
  findRevision(eventId: string, revisionId: string): Promise<RevisionRecord | undefined>;
  /** Returns the revision with the highest sequence. */
  findLatestRevision(eventId: string): Promise<RevisionRecord | undefined>;
  /** Returns true if a revision of the event shows this frame as this product. */
  hasFrame(eventId: string, productId: ProductId, frameId: string): Promise<boolean>;
  /** Lists notices of the newest `limit` revisions after `sequence`, ascending. */
  listNotices(eventId: string, afterSequence: number, limit: number): Promise<readonly StormRevisionReady[]>;
  /** Lists the newest discovered asset of each known product, across all events. */
  listNewestAssets(): Promise<readonly AssetRecord[]>;
  /** Returns a number that changes with each commit of events or revisions by any process. Cheap. */
  readVersion(): Promise<number>;
  /** Calls back soon after such a commit, and perhaps after others. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
}

/** Reads for feeds, replays, mirrors, briefings and the command line: uncached and without limits. */
export interface WorkReader {
  /** Lists all assets of an event by observation time (none first), then locator. */
  listAssets(eventId: string): Promise<readonly AssetRecord[]>;
  /** Lists the layers of a revision in drawing order; empty if there is no such revision. */
  listLayers(eventId: string, revisionId: string): Promise<readonly PublishedLayer[]>;
  /** Returns the revision with the lowest sequence above this one. */
  findRevisionAfter(eventId: string, sequence: number): Promise<RevisionRecord | undefined>;
  /** Lists entries by ascending id. */
  listFeedLog(query: FeedLogQuery): Promise<readonly FeedLogRecord[]>;
  /** Returns the steps of an event's briefing; undefined if none were saved. */
  findSteps(eventId: string): Promise<StepsRecord | undefined>;
  /** Lists the overlays kept with an event, by name. */
  listKeptOverlays(eventId: string): Promise<readonly KeptOverlay[]>;
  /** Returns the bytes of an overlay of the event; undefined if it has none with this hash. */
  readKeptOverlay(eventId: string, sha256: string): Promise<Uint8Array | undefined>;
}

/**
 * A write that ends as `storage-unavailable` may have been done, or appear later. Repeating it is safe: what is done
 * counts as `unchanged` or `known`, or changes nothing. Three writes tell it by other means: `republish` throws
 * `conflict` and `removeEvent` `not-found` if it was done, and `appendFeedLog` appends again.
 */
export interface CatalogWriter {
  /** Inserts or rediscovers assets (same event and locator), status `discovered`. Returns ids in the same order. */
  discoverAssets(drafts: readonly AssetDraft[]): Promise<readonly number[]>;
  /**
   * Changes an asset's status. `complete` sets `completedAt`, `failed` stores `errorMessage`; other statuses clear
   * both. Absent or undefined facts stay unchanged. A power cut may lose `queued` and `processing`.
   */
  updateAsset(id: number, change: AssetChange): Promise<void>;
  /** Lists the layers of the newest revision of the window; empty if it was never published. */
  findWindowLayers(eventId: string, window: number): Promise<readonly PublishedLayer[]>;
  /** Returns the newest published message of a product for exactly this observation time. */
  findPublishedMessage(
    eventId: string,
    productId: ProductId,
    observedAt: string,
  ): Promise<PublishedMessage | undefined>;
  /**
   * True if the asset was last completed with these bytes and a revision of its time shows their message. Such a file
   * changes nothing, also if another file has corrected its time since.
   */
  isRepeated(assetId: number, bytes: AssetBytes): Promise<boolean>;
  /**
   * Publishes in one transaction: compares with published layers, adds the window's other layer, creates or updates the
   * event, takes the next sequence, writes the manifest, sets `currentRevisionId`, completes the assets. Two processes
   * that publish the same at once make one revision. Throws `conflict` for an archived or mirrored event,
   * `source-invalid` for an observation too far ahead of the clock, and `frame-missing` if a frame is not stored: store
   * it and publish again (`publishAgainWhileFramesVanish`).
   */
  publish(draft: PublishDraft): Promise<PublishOutcome>;
  /**
   * Creates an active historical event without data. Repeating a registration changes nothing. Throws `conflict` if the
   * id is taken, `invalid-input` for an invalid id, label or window.
   */
  registerEvent(registration: EventRegistration): Promise<EventRecord>;
  /**
   * Ends an ingest: an active historical event becomes complete; a registered one only if `registered` is true, when
   * its window is filled. Ignores unknown and mirrored events.
   */
  completeEvent(eventId: string, options?: { readonly registered?: boolean }): Promise<void>;
  /** Makes an event read-only permanently. Idempotent. Throws `not-found`, and `conflict` for a mirrored event. */
  archiveEvent(eventId: string): Promise<void>;
  /**
   * Removes an event that never had a revision, with its assets. Throws `not-found`; `conflict` if it has or had one:
   * revisions are immutable, and their sequences stay used.
   */
  removeEvent(eventId: string): Promise<void>;
  /**
   * Adopts a remote's event without a revision. `currentRevisionId` and the sequence stay local. Throws `conflict` for
   * a local event, and for one that belongs to a pack, or to another pack; `invalid-input` for an unfit label.
   */
  adoptEvent(mirrorOf: string, event: StormEvent): Promise<void>;
  /**
   * Adopts a revision and its event in one transaction. Throws `conflict` if the sequence goes back or the content of
   * an id has changed, and as `adoptEvent` does; `invalid-input` if layers and manifest do not match; `frame-missing`
   * as `publish` does.
   */
  adopt(draft: AdoptDraft): Promise<AdoptOutcome>;
  /** Adopts many revisions in this order and in ONE transaction: all or none. */
  adoptAll(drafts: readonly AdoptDraft[]): Promise<readonly AdoptOutcome[]>;
  /**
   * Publishes a revision of another event as the next one of a replay. Layers and manifest stay the same, except for
   * ids, sequence, publication time and disclosure. Throws `not-found` if the revision is gone; `conflict` if the event
   * is not a replay of that one, is archived, or has grown since `after`; `stored-data-invalid` for a damaged manifest;
   * `frame-missing` for a lost frame.
   */
  republish(draft: RepublishDraft): Promise<RevisionRecord>;
  /**
   * Applies the retention of an operational feed: removes revisions and assets observed more than `keepMs` before the
   * newest, with frames and stored sources that nothing else uses. The current revision stays. Does nothing for other
   * kinds, for archived events, and during a backup: the next call catches up.
   */
  prune(eventId: string, keepMs: number): Promise<PruneOutcome>;
  /** Removes stored sources (SHA-256) that no revision was made from. Returns their number. */
  discardSources(sha256s: readonly string[]): Promise<number>;
  /** Appends to the log, and removes the oldest entries beyond `feedLogLimit`. */
  appendFeedLog(entries: readonly FeedLogEntry[]): Promise<void>;
  /**
   * Replaces the steps of an event's briefing, also of an archived or adopted event; the same document again changes
   * nothing. They are removed with their event. Throws `not-found` for an unknown event, and `steps-changed` if the
   * stored version is another one than `basedOn`.
   */
  saveSteps(draft: StepsDraft): Promise<StepsRecord>;
  /**
   * Keeps an overlay with any event, in place of the one of the same name; the same bytes and facts change nothing.
   * Throws `not-found`, `invalid-input` for an empty or too large file, and `conflict` if the event has too many.
   */
  keepOverlay(draft: OverlayDraft): Promise<KeptOverlay>;
}

export interface ReadableCatalog extends CatalogReader, WorkReader {
  close(): Promise<void>;
}

export interface Catalog extends ReadableCatalog, CatalogWriter {}
