// Reads the catalog: each query is one statement over an index, and its result is cached until the next commit.
import { productIds } from "../../../../shared/contract/primitives.ts";
import type { CatalogReader, ChangeRecord, RevisionRecord } from "../../catalog.ts";
import { toEventRecord } from "../../plans/event-state.ts";
import { maxInstantMs } from "../../plans/instants.ts";
import { answer, prepareEvent, type Prepare } from "../queries.ts";
import { createChanges } from "./revision-changes.ts";
import { toAssetRecord, toEventState, toNotice, toRevisionRecord } from "../../rows/catalog-rows.ts";
import type { AssetRow, EventRow, RevisionRow } from "../../rows/catalog-rows.ts";
import type { Scope, Snapshots } from "./snapshots.ts";

/** Approximate memory of a record without its manifest. */
const recordBytes = 1024;
/** Approximate memory of a reference to a record in a list or cache. */
const referenceBytes = 128;

const noticeColumns = "event_id, sequence, revision_id, observed_at, published_at, west, south, east, north";

export function createReader(prepare: Prepare, snapshots: Snapshots): CatalogReader {
  return {
    ...createRevisionReads(prepare, snapshots),
    ...createOtherReads(prepare, snapshots),
    readVersion: () => answer(() => snapshots.readVersion()),
    onChange: (listener) => snapshots.onChange(listener),
  };
}

interface SequenceRow {
  readonly sequence: number;
}

function createRevisionReads(
  prepare: Prepare,
  snapshots: Snapshots,
): Pick<CatalogReader, "listRevisions" | "listChanges" | "findRevision" | "findLatestRevision"> {
  const newest = prepare<SequenceRow>(
    "SELECT sequence FROM revisions WHERE event_id = ? ORDER BY sequence DESC LIMIT ?",
  );
  const byId = prepare<SequenceRow>("SELECT sequence FROM revisions WHERE event_id = ? AND revision_id = ?");
  const bySequence = prepare<RevisionRow>(`SELECT * FROM revisions WHERE event_id = ? AND sequence = ?`);
  const changes = createChanges(prepare);
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
    listChanges: (eventId, limit, before) =>
      answer(() =>
        snapshots.cached<readonly ChangeRecord[]>("content", `changes ${limit} ${before} ${eventId}`, () => {
          const value = changes(eventId, limit, before).flatMap(({ sequence, change }) => {
            const revision = load(eventId, sequence);
            return revision ? Object.freeze({ revision, change }) : [];
          });
          // Callers keep a rendered answer for each list, and there are many pages.
          const manifestBytes = value.reduce((sum, { revision }) => sum + revision.manifest.byteLength, 0);
          const byteLength = referenceBytes * (value.length + 1) + manifestBytes;
          return { value: Object.freeze(value), byteLength };
        })!,
      ),
    findRevision: (eventId, revisionId) =>
      answer(() => findOne(eventId, `revision ${revisionId}`, () => byId.first(eventId, revisionId))),
    findLatestRevision: (eventId) => answer(() => findOne(eventId, "latest", () => newest.first(eventId, 1))),
  };
}

/** Omits damaged rows, whose instants do not fit a `Date`, from the list. */
const isReadable = ["started_at", "ended_at", "updated_at"]
  .map((column) => `coalesce(${column}, 0) BETWEEN -${maxInstantMs} AND ${maxInstantMs}`)
  .join(" AND ");

function createOtherReads(
  prepare: Prepare,
  snapshots: Snapshots,
): Pick<CatalogReader, "listEvents" | "findEvent" | "hasFrame" | "listNotices" | "listNewestAssets"> {
  const newestEvents = prepare<EventRow>(
    `SELECT * FROM events WHERE ${isReadable} ORDER BY coalesce(ended_at, started_at) DESC, id LIMIT ?`,
  );
  const findEvent = prepareEvent(prepare);
  const frame = prepare(
    "SELECT 1 FROM revision_layers WHERE frame_id = ? AND event_id = ? AND product_id = ? LIMIT 1",
  );
  const newestNotices = prepare<RevisionRow>(
    `SELECT ${noticeColumns} FROM revisions WHERE event_id = ? AND sequence > ? ORDER BY sequence DESC LIMIT ?`,
  );
  const newestAsset = prepare<AssetRow>(
    "SELECT * FROM assets WHERE product_id = ? ORDER BY discovery DESC LIMIT 1",
  );
  const list = <RowType, Item>(
    scope: Scope,
    key: string,
    readRows: () => readonly RowType[],
    toItem: (row: RowType) => Item,
  ): Promise<readonly Item[]> =>
    answer(() =>
      snapshots.cached<readonly Item[]>(scope, key, () => {
        const value = Object.freeze(readRows().map((row) => toItem(row)));
        return { value, byteLength: recordBytes * (value.length + 1) };
      })!,
    );
  return {
    listEvents: (limit) =>
      list(
        "content",
        `events ${limit}`,
        () => newestEvents.all(limit),
        (row) => toEventRecord(toEventState(row)),
      ),
    findEvent: (eventId) =>
      answer(() =>
        snapshots.cached("content", `event ${eventId}`, () => {
          const event = findEvent(eventId);
          return event && { value: toEventRecord(event), byteLength: recordBytes };
        }),
      ),
    hasFrame: (eventId, productId, frameId) =>
      answer(() => frame.first(frameId, eventId, productId) !== undefined),
    listNotices: (eventId, afterSequence, limit) => {
      const key = `notices ${afterSequence} ${limit} ${eventId}`;
      return list("content", key, () => newestNotices.all(eventId, afterSequence, limit).reverse(), toNotice);
    },
    listNewestAssets: () =>
      list(
        "everything",
        "assets",
        () => productIds.flatMap((productId) => newestAsset.first(productId) ?? []),
        toAssetRecord,
      ),
  };
}
