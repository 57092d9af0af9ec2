// Writes the rows that a plan decided on: events, revisions with their manifests, and layers.
import type { PublishedLayer, RevisionRecord } from "../../catalog.ts";
import type { EventState } from "../../plans/event-state.ts";
import { parseInstant } from "../../plans/instants.ts";
import { toPlannedRecord, type NextRevision, type PlannedRevision } from "../../plans/next-revision.ts";
import { toEventValues } from "../../rows/row-values.ts";
import { type Prepare, prepareNote } from "../queries.ts";

/** Returns a function that creates or updates an event. */
export function createEventWriter(prepare: Prepare): (event: EventState) => void {
  const upsert = prepare(`
    INSERT INTO events (id, kind, label, origin, status, started_at, ended_at, west, south, east, north,
        current_revision_id, last_sequence, last_published_at, updated_at, registered_started_at,
        registered_ended_at, mirror_of, replay_of_event, replay_of_sequence, pruned_sequence)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, label = excluded.label, origin = excluded.origin,
        status = excluded.status, started_at = excluded.started_at, ended_at = excluded.ended_at,
        west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north,
        current_revision_id = excluded.current_revision_id, last_sequence = excluded.last_sequence,
        last_published_at = excluded.last_published_at, updated_at = excluded.updated_at,
        registered_started_at = excluded.registered_started_at, registered_ended_at = excluded.registered_ended_at,
        mirror_of = excluded.mirror_of, replay_of_event = excluded.replay_of_event,
        replay_of_sequence = excluded.replay_of_sequence, pruned_sequence = excluded.pruned_sequence`);
  return (event) => {
    upsert.run(...toEventValues(event));
  };
}

/** Returns a function that writes a revision, its manifest and its layers. */
export function createRevisionWriter(prepare: Prepare): (revision: PlannedRevision) => RevisionRecord {
  const insertRevision = prepare<{ id: number }>(`
    INSERT INTO revisions (event_id, sequence, revision_id, observed_at, observation_window, published_at,
        west, south, east, north, manifest, manifest_sha256)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`);
  const insertLayer = createLayerWriter(prepare);
  const noteContent = prepareNote(prepare, "content_version");
  return (revision) => {
    const { eventId, sequence, revisionId, observedAtMs, window, publishedAtMs, bounds, manifest } = revision;
    const row = insertRevision.first(
      ...[eventId, sequence, revisionId, observedAtMs, window, publishedAtMs],
      ...bounds,
      manifest.bytes,
      manifest.sha256,
    );
    for (const layer of revision.layers) insertLayer(row!.id, revision, layer);
    noteContent();
    return toPlannedRecord(revision);
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
