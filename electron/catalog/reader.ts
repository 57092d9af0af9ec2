// Reading the catalog: every question is one statement over an index, and its answer is kept until something is committed.
import type { DatabaseSync } from "node:sqlite";
import type { StormRevisionReady } from "../../shared/contract/messages.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import type { AssetRecord, CatalogReader, EventRecord, RevisionRecord } from "./catalog.ts";
import { prepare } from "./queries.ts";
import { toAssetRecord, toEventRecord, toNotice, toRevisionRecord } from "./rows.ts";
import type { AssetRow, EventRow, RevisionRow } from "./rows.ts";
import type { Snapshots } from "./snapshots.ts";

/** About what a record takes in memory, beside its manifest. */
const recordBytes = 1024;
/** About what a place in a list or a cache takes, beside the record that it refers to. */
const referenceBytes = 128;

const revisionColumns =
  "event_id, sequence, revision_id, observed_at, published_at, west, south, east, north, manifest, manifest_sha256";
const noticeColumns = "event_id, sequence, revision_id, observed_at, published_at, west, south, east, north";

export function createReader(database: DatabaseSync, snapshots: Snapshots): CatalogReader {
  const events = prepare<EventRow>(
    database,
    "SELECT * FROM events ORDER BY coalesce(ended_at, started_at) DESC, id LIMIT ?",
  );
  const eventById = prepare<EventRow>(database, "SELECT * FROM events WHERE id = ?");
  const newestSequences = prepare<{ sequence: number }>(
    database,
    "SELECT sequence FROM revisions WHERE event_id = ? ORDER BY sequence DESC LIMIT ?",
  );
  const sequenceById = prepare<{ sequence: number }>(
    database,
    "SELECT sequence FROM revisions WHERE event_id = ? AND revision_id = ?",
  );
  const revisionBySequence = prepare<RevisionRow>(
    database,
    `SELECT ${revisionColumns} FROM revisions WHERE event_id = ? AND sequence = ?`,
  );
  const frame = prepare(
    database,
    "SELECT 1 FROM revision_layers WHERE frame_id = ? AND event_id = ? AND product_id = ? LIMIT 1",
  );
  const newestNotices = prepare<RevisionRow>(
    database,
    `SELECT ${noticeColumns} FROM revisions WHERE event_id = ? AND sequence > ? ORDER BY sequence DESC LIMIT ?`,
  );
  const newestAsset = prepare<AssetRow>(
    database,
    "SELECT * FROM assets WHERE product_id = ? ORDER BY discovery DESC LIMIT 1",
  );

  const listOf = <RowType, Record>(
    rows: readonly RowType[],
    toRecord: (row: RowType) => Record,
  ): readonly Record[] => Object.freeze(rows.map(toRecord));

  /** Revisions never change, so what one read of them gave serves every later list that holds them. */
  const loadRevision = (eventId: string, sequence: number): RevisionRecord | undefined =>
    snapshots.cachedPart("published", `${sequence} ${eventId}`, () => {
      const row = revisionBySequence.first(eventId, sequence);
      return row && { value: toRevisionRecord(row), byteLength: recordBytes + row.manifest.byteLength };
    });
  const loadRevisions = (eventId: string, sequences: readonly { sequence: number }[]): RevisionRecord[] =>
    sequences.flatMap(({ sequence }) => loadRevision(eventId, sequence) ?? []);
  const referencing = <Value>(value: Value): { value: Value; byteLength: number } => ({
    value,
    byteLength: referenceBytes,
  });

  return {
    listEvents: (limit) =>
      answer(() =>
        snapshots.cached<readonly EventRecord[]>("content", `events ${limit}`, () => {
          const value = listOf(events.all(limit), toEventRecord);
          return { value, byteLength: recordBytes * (value.length + 1) };
        })!,
      ),
    findEvent: (eventId) =>
      answer(() =>
        snapshots.cached("content", `event ${eventId}`, () => {
          const row = eventById.first(eventId);
          return row && { value: toEventRecord(row), byteLength: recordBytes };
        }),
      ),
    listRevisions: (eventId, limit) =>
      answer(() =>
        snapshots.cached<readonly RevisionRecord[]>("content", `revisions ${limit} ${eventId}`, () => {
          const value = loadRevisions(eventId, newestSequences.all(eventId, limit).reverse());
          return { value: Object.freeze(value), byteLength: referenceBytes * (value.length + 1) };
        })!,
      ),
    findRevision: (eventId, revisionId) =>
      answer(() =>
        snapshots.cached(
          "content",
          `revision ${eventId} ${revisionId}`,
          () => loadRevisions(eventId, sequenceById.all(eventId, revisionId)).map(referencing)[0],
        ),
      ),
    findLatestRevision: (eventId) =>
      answer(() =>
        snapshots.cached(
          "content",
          `latest ${eventId}`,
          () => loadRevisions(eventId, newestSequences.all(eventId, 1)).map(referencing)[0],
        ),
      ),
    hasFrame: (eventId, productId, frameId) =>
      answer(() => frame.first(frameId, eventId, productId) !== undefined),
    listNotices: (eventId, afterSequence, limit) =>
      answer(() =>
        snapshots.cached<readonly StormRevisionReady[]>(
          "content",
          `notices ${afterSequence} ${limit} ${eventId}`,
          () => {
            const value = listOf(newestNotices.all(eventId, afterSequence, limit).reverse(), toNotice);
            return { value, byteLength: recordBytes * (value.length + 1) };
          },
        )!,
      ),
    listNewestAssets: () =>
      answer(() =>
        snapshots.cached<readonly AssetRecord[]>("everything", "assets", () => {
          const rows = productIds.flatMap((productId) => newestAsset.first(productId) ?? []);
          return { value: listOf(rows, toAssetRecord), byteLength: recordBytes };
        })!,
      ),
    readVersion: () => answer(() => snapshots.readVersion()),
    onChange: (listener) => snapshots.onChange(listener),
  };
}

/** SQLite answers at once; whoever asks must not depend on it. */
function answer<Result>(read: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(read());
  });
}
