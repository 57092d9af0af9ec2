// Rows of the catalog as both engines return them, and their conversion to frozen records.
import { AppError } from "../../../shared/app-error.ts";
import type { AssetStatus } from "../../../shared/contract/data-status.ts";
import type { StormRevisionReady } from "../../../shared/contract/messages.ts";
import { KeptOverlay } from "../../../shared/contract/overlays.ts";
import type { Bounds, ProductId } from "../../../shared/contract/primitives.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { EventOrigin } from "../../../shared/revisions/event-origin.ts";
import type { AssetRecord, PublishedLayer, RevisionRecord, StepsRecord } from "../catalog.ts";
import type { EventState } from "../plans/event-state.ts";
import { parseInstant, toInstant, toInstantOrUndefined } from "../plans/instants.ts";

export interface BoundsRow {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Extent of revisions in milliseconds since the Unix epoch and degrees; null if there are none. */
export interface ExtentRow {
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
}

export interface EventRow extends ExtentRow {
  readonly id: string;
  readonly kind: StormEvent["kind"];
  readonly label: string;
  readonly origin: EventOrigin;
  readonly status: StormEvent["status"];
  readonly current_revision_id: string | null;
  readonly last_sequence: number;
  readonly last_published_at: number | null;
  readonly updated_at: number;
  readonly registered_started_at: number | null;
  readonly registered_ended_at: number | null;
  readonly mirror_of: string | null;
  readonly replay_of_event: string | null;
  readonly replay_of_sequence: number | null;
  readonly pruned_sequence: number;
}

export interface RevisionRow extends BoundsRow {
  readonly id: number;
  readonly event_id: string;
  readonly sequence: number;
  readonly revision_id: string;
  readonly observed_at: number;
  readonly observation_window: number;
  readonly published_at: number;
  readonly manifest: Uint8Array;
  readonly manifest_sha256: string;
}

/** Columns of a revision that its notice shows. */
export type NoticeRow = Omit<RevisionRow, "id" | "observation_window" | "manifest" | "manifest_sha256">;

export interface LayerRow extends BoundsRow {
  readonly product_id: ProductId;
  readonly observed_at: number;
  readonly frame_id: string;
  readonly message_sha256: string;
  readonly source_url: string;
  readonly source_last_modified: number | null;
  readonly source_sha256: string | null;
}

export interface AssetRow {
  readonly id: number;
  readonly event_id: string;
  readonly locator: string;
  readonly product_id: ProductId | null;
  readonly observed_at: number | null;
  readonly byte_length: number | null;
  readonly sha256: string | null;
  readonly last_modified_at: number | null;
  readonly etag: string | null;
  readonly status: AssetStatus;
  readonly completed_at: number | null;
  readonly error_message: string | null;
}

export interface StepsRow {
  readonly event_id: string;
  readonly version: number;
  readonly changed_at: number;
  readonly document: string;
}

/** An overlay kept with an event; `document` is JSON of `KeptOverlay`. */
export interface OverlayRow {
  readonly event_id: string;
  readonly name: string;
  readonly sha256: string;
  readonly fetched_at: number;
  readonly document: string;
  readonly content: Uint8Array;
}

export function toBounds({ west, south, east, north }: BoundsRow): Bounds {
  return Object.freeze([west, south, east, north] as const) as Bounds;
}

export function toEventState(row: EventRow): EventState {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    origin: row.origin,
    status: row.status,
    startedAtMs: row.started_at,
    endedAtMs: row.ended_at,
    bounds: toExtentBounds(row),
    currentRevisionId: row.current_revision_id,
    lastSequence: row.last_sequence,
    lastPublishedAtMs: row.last_published_at,
    updatedAtMs: row.updated_at,
    registeredWindow: toRegisteredWindow(row),
    mirrorOf: row.mirror_of,
    replayOf: toReplayOf(row),
    prunedSequence: row.pruned_sequence,
  };
}

export function toExtentBounds({
  west,
  south,
  east,
  north,
}: Pick<ExtentRow, keyof BoundsRow>): Bounds | null {
  if (west === null || south === null || east === null || north === null) return null;
  return toBounds({ west, south, east, north });
}

function toReplayOf({ replay_of_event, replay_of_sequence }: EventRow): EventState["replayOf"] {
  return replay_of_event === null ? null : { eventId: replay_of_event, sequence: replay_of_sequence ?? 0 };
}

function toRegisteredWindow({
  registered_started_at: startedAtMs,
  registered_ended_at: endedAtMs,
}: EventRow): EventState["registeredWindow"] {
  return startedAtMs === null || endedAtMs === null ? null : { startedAtMs, endedAtMs };
}

export function toRevisionRecord(row: RevisionRow): RevisionRecord {
  return Object.freeze({
    eventId: row.event_id,
    revisionId: row.revision_id,
    sequence: row.sequence,
    observedAt: toInstant(row.observed_at),
    publishedAt: toInstant(row.published_at),
    manifest: row.manifest,
    manifestSha256: row.manifest_sha256,
  });
}

export function toNotice(row: NoticeRow): StormRevisionReady {
  return Object.freeze({
    type: "storm.revision.ready",
    schemaVersion: 1,
    eventId: row.event_id,
    revisionId: row.revision_id,
    sequence: row.sequence,
    observedAt: toInstant(row.observed_at),
    publishedAt: toInstant(row.published_at),
    bounds: toBounds(row),
    manifestUrl: `/v1/storm-events/${row.event_id}/revisions/${row.revision_id}/manifest`,
  });
}

export function toPublishedLayer(row: LayerRow): PublishedLayer {
  return Object.freeze({
    productId: row.product_id,
    observedAt: toInstant(row.observed_at),
    frameId: row.frame_id,
    bounds: toBounds(row),
    messageSha256: row.message_sha256,
    sourceUrl: row.source_url,
    sourceLastModified: toInstantOrUndefined(row.source_last_modified),
    sourceSha256: row.source_sha256 ?? undefined,
  });
}

export function toAssetRecord(row: AssetRow): AssetRecord {
  return Object.freeze({
    id: row.id,
    eventId: row.event_id,
    locator: row.locator,
    productId: row.product_id ?? undefined,
    observedAt: toInstantOrUndefined(row.observed_at),
    byteLength: row.byte_length ?? undefined,
    sha256: row.sha256 ?? undefined,
    lastModifiedAt: toInstantOrUndefined(row.last_modified_at),
    etag: row.etag ?? undefined,
    status: row.status,
    completedAt: toInstantOrUndefined(row.completed_at),
    errorMessage: row.error_message ?? undefined,
  });
}

export function toStepsRecord(row: StepsRow): StepsRecord {
  return Object.freeze({
    eventId: row.event_id,
    version: row.version,
    changedAt: toInstant(row.changed_at),
    document: row.document,
  });
}

export function toOverlayRow(eventId: string, overlay: KeptOverlay, content: Uint8Array): OverlayRow {
  return {
    event_id: eventId,
    name: overlay.name,
    sha256: overlay.sha256,
    fetched_at: parseInstant(overlay.fetchedAt),
    document: JSON.stringify(overlay),
    content,
  };
}

/** @throws AppError `stored-data-invalid` */
export function toKeptOverlay({ document }: Pick<OverlayRow, "document">): KeptOverlay {
  try {
    return Object.freeze(KeptOverlay.parse(JSON.parse(document)));
  } catch (error) {
    throw new AppError("stored-data-invalid", "An overlay of this event is damaged.", { cause: error });
  }
}
