// Writes the rows of one revision: its event, the revision with its manifest, and its layers.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../../shared/revisions/observation-window.ts";
import type { PublishedLayer, RevisionRecord } from "../../catalog.ts";
import { growExtent, type EventIdentity } from "../../plans/event-rules.ts";
import { parseInstant, toInstant } from "../../plans/instants.ts";
import type { ComposedManifest } from "../../plans/compose-manifest.ts";
import { type Prepare, prepareNote } from "../queries.ts";
import { toEventBounds, type EventRow } from "../catalog-rows.ts";

/** A revision to be written. */
export interface NextRevision {
  readonly eventId: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly observedAtMs: number;
  readonly publishedAtMs: number;
  readonly layers: readonly [PublishedLayer, ...PublishedLayer[]];
  readonly bounds: Bounds;
}

/**
 * Returns a function that creates or updates the event's row for its next revision. A registered event keeps its
 * status; any other event becomes active.
 */
export function createEventWriter(
  prepare: Prepare,
): (event: EventRow | undefined, identity: EventIdentity, next: NextRevision) => void {
  const upsert = prepare(`
    INSERT INTO events (id, kind, label, origin, status, started_at, ended_at, west, south, east, north,
        current_revision_id, last_sequence, last_published_at, updated_at)
      VALUES (?, ?, ?, ?, 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET label = excluded.label,
        status = CASE WHEN events.registered_started_at IS NULL THEN excluded.status ELSE events.status END,
        started_at = excluded.started_at, ended_at = excluded.ended_at,
        west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north,
        current_revision_id = excluded.current_revision_id, last_sequence = excluded.last_sequence,
        last_published_at = excluded.last_published_at, updated_at = excluded.updated_at`);
  return (event, { kind, label, origin }, next) => {
    const { startedAtMs, endedAtMs, bounds } = growExtent(
      {
        startedAtMs: event?.started_at ?? null,
        endedAtMs: event?.ended_at ?? null,
        bounds: event ? toEventBounds(event) : null,
      },
      [next.observedAtMs, ...next.layers.map(({ observedAt }) => parseInstant(observedAt))],
      next.bounds,
    );
    const updatedAtMs = Math.max(next.publishedAtMs, event?.updated_at ?? -Infinity);
    upsert.run(
      next.eventId,
      kind,
      label,
      origin,
      startedAtMs,
      endedAtMs,
      ...bounds,
      next.revisionId,
      next.sequence,
      next.publishedAtMs,
      updatedAtMs,
    );
  };
}

/** Returns a function that writes a revision, its manifest and its layers. */
export function createRevisionWriter(
  prepare: Prepare,
): (next: NextRevision, manifest: ComposedManifest) => RevisionRecord {
  const insertRevision = prepare<{ id: number }>(`
    INSERT INTO revisions (event_id, sequence, revision_id, observed_at, observation_window, published_at,
        west, south, east, north, manifest, manifest_sha256)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`);
  const insertLayer = createLayerWriter(prepare);
  const noteContent = prepareNote(prepare, "content_version");

  return (next, manifest) => {
    const { eventId, revisionId, sequence, observedAtMs, publishedAtMs, layers } = next;
    const observedAt = toInstant(observedAtMs);
    const publishedAt = toInstant(publishedAtMs);
    const row = insertRevision.first(
      eventId,
      sequence,
      revisionId,
      observedAtMs,
      observationWindow(observedAt),
      publishedAtMs,
      ...next.bounds,
      manifest.bytes,
      manifest.sha256,
    );
    for (const layer of layers) insertLayer(row!.id, next, layer);
    noteContent();
    return Object.freeze({
      eventId,
      revisionId,
      sequence,
      observedAt,
      publishedAt,
      manifest: manifest.bytes,
      manifestSha256: manifest.sha256,
    });
  };
}

export function createLayerWriter(
  prepare: Prepare,
): (revision: number, next: Pick<NextRevision, "eventId" | "sequence">, layer: PublishedLayer) => void {
  const insert = prepare(`
    INSERT INTO revision_layers (revision, product_id, event_id, sequence, observed_at, frame_id,
        west, south, east, north, message_sha256, source_url, source_last_modified, source_sha256)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return (revision, { eventId, sequence }, layer) => {
    insert.run(
      revision,
      layer.productId,
      eventId,
      sequence,
      parseInstant(layer.observedAt),
      layer.frameId,
      ...layer.bounds,
      layer.messageSha256,
      layer.sourceUrl,
      layer.sourceLastModified === undefined ? null : parseInstant(layer.sourceLastModified),
      layer.sourceSha256 ?? null,
    );
  };
}
