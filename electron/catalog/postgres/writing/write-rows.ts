// Writes the rows that a plan decided on: events, revisions with their manifests, and layers.
import type { PublishedLayer, RevisionRecord } from "../../catalog.ts";
import type { EventState } from "../../plans/event-state.ts";
import { parseInstant } from "../../plans/instants.ts";
import { toPlannedRecord, type PlannedRevision } from "../../plans/next-revision.ts";
import {
  eventColumns,
  eventReplacement,
  layerColumns,
  noticeColumns,
  parameters,
} from "../service-columns.ts";
import { toEventValues } from "../../rows/row-values.ts";
import { notifyChange, type Query } from "./service-transaction.ts";

const upsertEvent = `
  INSERT INTO events (${eventColumns}, version) VALUES (${parameters(21)}, nextval('event_versions'))
    ON CONFLICT (id) DO UPDATE SET ${eventReplacement}`;

/** Creates or updates an event. Call `lockEvent` before. */
export async function writeEvent(query: Query, event: EventState): Promise<void> {
  const upserted = query(upsertEvent, toEventValues(event));
  await Promise.all([upserted, notifyChange(query)]);
}

const insertRevision = `
  INSERT INTO revisions (${noticeColumns}, observation_window, manifest, manifest_sha256)
    VALUES (${parameters(12)})`;
const insertLayer = `
  INSERT INTO revision_layers (revision, event_id, sequence, ${layerColumns})
    VALUES ((SELECT id FROM revisions WHERE event_id = $1 AND sequence = $2), ${parameters(13)})`;

/** Writes an event, its next revision with the manifest, and its layers, in one round trip. */
export async function writeRevision(
  query: Query,
  event: EventState,
  revision: PlannedRevision,
): Promise<RevisionRecord> {
  await Promise.all([writeEvent(query, event), insertRevisionRows(query, revision)]);
  return toPlannedRecord(revision);
}

/** Inserts a revision and its layers. Its event must be there. */
export async function insertRevisionRows(query: Query, revision: PlannedRevision): Promise<void> {
  const { eventId, sequence, revisionId, observedAtMs, publishedAtMs, bounds, window, manifest } = revision;
  await Promise.all([
    query(insertRevision, [
      ...[eventId, sequence, revisionId, observedAtMs, publishedAtMs, ...bounds],
      ...[window, manifest.bytes, manifest.sha256],
    ]),
    ...revision.layers.map((layer) => query(insertLayer, [eventId, sequence, ...toLayerValues(layer)])),
  ]);
}

function toLayerValues(layer: PublishedLayer): (string | number | null)[] {
  return [
    layer.productId,
    parseInstant(layer.observedAt),
    layer.frameId,
    ...layer.bounds,
    layer.messageSha256,
    layer.sourceUrl,
    layer.sourceLastModified === undefined ? null : parseInstant(layer.sourceLastModified),
    layer.sourceSha256 ?? null,
  ];
}

/** Returns those frames of the layers that are stored, and keeps them and the layers' sources for the transaction. */
export async function holdStored(
  query: Query,
  layers: readonly PublishedLayer[],
): Promise<ReadonlySet<string>> {
  const names = layers.flatMap(({ frameId, sourceSha256 }) => [
    frameId,
    ...(sourceSha256 ? [sourceSha256] : []),
  ]);
  // In one order everywhere, so that two transactions never wait for each other.
  const rows = await query<{ name: string }>(
    "SELECT name FROM blobs WHERE name = ANY($1::text[]) ORDER BY name FOR KEY SHARE",
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}
