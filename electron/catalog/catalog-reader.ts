// Reads the catalog: each query is one statement over an index, and its result is cached until the next commit.
import type { DatabaseSync } from "node:sqlite";
import type { StormRevisionReady } from "../../shared/contract/messages.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import type { AssetRecord, CatalogReader, EventRecord, RevisionRecord } from "./catalog.ts";
import { maxInstantMs } from "./instants.ts";
import { answer, prepare } from "./queries.ts";
import { toAssetRecord, toEventRecord, toNotice, toRevisionRecord } from "./catalog-rows.ts";
import type { AssetRow, EventRow, RevisionRow } from "./catalog-rows.ts";
import type { Loaded, Snapshots } from "./snapshots.ts";

/** Approximate memory of a record without its manifest. */
const recordBytes = 1024;
/** Approximate memory of a reference to a record in a list or cache. */
const referenceBytes = 128;

const revisionColumns =
  "event_id, sequence, revision_id, observed_at, published_at, west, south, east, north, manifest, manifest_sha256";
const noticeColumns = "event_id, sequence, revision_id, observed_at, published_at, west, south, east, north";

export function createReader(database: DatabaseSync, snapshots: Snapshots): CatalogReader {
  return {
    ...createEventReads(database, snapshots),
    ...createRevisionReads(database, snapshots),
    ...createNoticeReads(database, snapshots),
    readVersion: () => answer(() => snapshots.readVersion()),
    onChange: (listener) => snapshots.onChange(listener),
  };
}

/** Omits damaged rows, whose instants do not fit a `Date`, from the list. */
const isReadable = ["started_at", "ended_at", "updated_at"]
  .map((column) => `coalesce(${column}, 0) BETWEEN -${maxInstantMs} AND ${maxInstantMs}`)
  .join(" AND ");

function createEventReads(
  database: DatabaseSync,
  snapshots: Snapshots,
): Pick<CatalogReader, "listEvents" | "findEvent"> {
  const newest = prepare<EventRow>(
    database,
    `SELECT * FROM events WHERE ${isReadable} ORDER BY coalesce(ended_at, started_at) DESC, id LIMIT ?`,
  );
  const byId = prepare<EventRow>(database, "SELECT * FROM events WHERE id = ?");
  return {
    listEvents: (limit) =>
      answer(() =>
        snapshots.cached<readonly EventRecord[]>("content", `events ${limit}`, () =>
          toList(newest.all(limit), toEventRecord),
        )!,
      ),
    findEvent: (eventId) =>
      answer(() =>
        snapshots.cached("content", `event ${eventId}`, () => {
          const row = byId.first(eventId);
          return row && { value: toEventRecord(row), byteLength: recordBytes };
        }),
      ),
  };
}

interface SequenceRow {
  readonly sequence: number;
}

function createRevisionReads(
  database: DatabaseSync,
  snapshots: Snapshots,
): Pick<CatalogReader, "listRevisions" | "findRevision" | "findLatestRevision"> {
  const newest = prepare<SequenceRow>(
    database,
    "SELECT sequence FROM revisions WHERE event_id = ? ORDER BY sequence DESC LIMIT ?",
  );
  const byId = prepare<SequenceRow>(
    database,
    "SELECT sequence FROM revisions WHERE event_id = ? AND revision_id = ?",
  );
  const bySequence = prepare<RevisionRow>(
    database,
    `SELECT ${revisionColumns} FROM revisions WHERE event_id = ? AND sequence = ?`,
  );
  /** Revisions never change, so lists share their records. */
  const load = (eventId: string, sequence: number): RevisionRecord | undefined =>
    snapshots.cachedPart("published", `${sequence} ${eventId}`, () => {
      const row = bySequence.first(eventId, sequence);
      return row && { value: toRevisionRecord(row), byteLength: recordBytes + row.manifest.byteLength };
    });
  const findOne = (
    eventId: string,
    key: string,
    findSequence: () => SequenceRow | undefined,
  ): RevisionRecord | undefined =>
    snapshots.cached("content", `${key} ${eventId}`, () => {
      const row = findSequence();
      const value = row && load(eventId, row.sequence);
      return value && { value, byteLength: referenceBytes };
    });
  return {
    listRevisions: (eventId, limit) =>
      answer(() =>
        snapshots.cached<readonly RevisionRecord[]>("content", `revisions ${limit} ${eventId}`, () => {
          const rows = newest.all(eventId, limit).reverse();
          const value = rows.flatMap(({ sequence }) => load(eventId, sequence) ?? []);
          return { value: Object.freeze(value), byteLength: referenceBytes * (value.length + 1) };
        })!,
      ),
    findRevision: (eventId, revisionId) =>
      answer(() => findOne(eventId, `revision ${revisionId}`, () => byId.first(eventId, revisionId))),
    findLatestRevision: (eventId) => answer(() => findOne(eventId, "latest", () => newest.first(eventId, 1))),
  };
}

function createNoticeReads(
  database: DatabaseSync,
  snapshots: Snapshots,
): Pick<CatalogReader, "hasFrame" | "listNotices" | "listNewestAssets"> {
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
  return {
    hasFrame: (eventId, productId, frameId) =>
      answer(() => frame.first(frameId, eventId, productId) !== undefined),
    listNotices: (eventId, afterSequence, limit) =>
      answer(() => {
        const key = `notices ${afterSequence} ${limit} ${eventId}`;
        return snapshots.cached<readonly StormRevisionReady[]>("content", key, () =>
          toList(newestNotices.all(eventId, afterSequence, limit).reverse(), toNotice),
        )!;
      }),
    listNewestAssets: () =>
      answer(() =>
        snapshots.cached<readonly AssetRecord[]>("everything", "assets", () => {
          const rows = productIds.flatMap((productId) => newestAsset.first(productId) ?? []);
          return toList(rows, toAssetRecord);
        })!,
      ),
  };
}

function toList<RowType, Record>(
  rows: readonly RowType[],
  toRecord: (row: RowType) => Record,
): Loaded<readonly Record[]> {
  const value = Object.freeze(rows.map((row) => toRecord(row)));
  return { value, byteLength: recordBytes * (value.length + 1) };
}
