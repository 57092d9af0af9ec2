// Reads the catalog of a service. Every answer begins with a question to the database that takes writes; only what
// never changes, and what is still the same, comes from a cache.
import { productIds } from "../../../../shared/contract/primitives.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { CatalogReader, ChangeRecord, RevisionRecord } from "../../catalog.ts";
import { toEventRecord, type EventState } from "../../plans/event-state.ts";
import {
  toAssetRecord,
  toEventState,
  toNotice,
  type AssetRow,
  type EventRow,
} from "../../rows/catalog-rows.ts";
import type { NoticeRow } from "../../rows/catalog-rows.ts";
import { assetColumns, eventColumns, noticeColumns } from "../service-columns.ts";
import type { ChangeWatch } from "./change-watch.ts";
import { createEventCache, type EventCache } from "./event-cache.ts";
import { createRevisionLoader, type RevisionPointer } from "./revision-loader.ts";
import { listServiceChanges } from "./service-changes.ts";

/** Approximate memory of a record without its manifest, and of a reference to one. */
const recordBytes = 1024;
const referenceBytes = 128;

const nothing: readonly never[] = Object.freeze([]);

export function createServiceReader(database: Database, changes: ChangeWatch): CatalogReader {
  const cache = createEventCache(database);
  return {
    ...createRevisionReads(database, cache),
    ...createEventReads(database),
    hasFrame: async (eventId, productId, frameId) => {
      const sql =
        "SELECT 1 FROM revision_layers WHERE frame_id = $1 AND event_id = $2 AND product_id = $3 LIMIT 1";
      return (await database.read(sql, [frameId, eventId, productId])).length > 0;
    },
    listNotices: async (eventId, afterSequence, limit) => {
      const sql = `SELECT ${noticeColumns} FROM revisions WHERE event_id = $1 AND sequence > $2
        ORDER BY sequence DESC LIMIT $3`;
      const notices = await cache.answer(eventId, `notices ${afterSequence} ${limit}`, async () => {
        const rows = await database.read<NoticeRow>(sql, [eventId, afterSequence, limit]);
        const value = Object.freeze(rows.toReversed().map(toNotice));
        return { value, byteLength: recordBytes * (value.length + 1) };
      });
      return notices ?? nothing;
    },
    listNewestAssets: createNewestAssets(database),
    readVersion: changes.readVersion,
    onChange: changes.onChange,
  };
}

function createRevisionReads(
  database: Database,
  cache: EventCache,
): Pick<CatalogReader, "listRevisions" | "listChanges" | "findRevision" | "findLatestRevision"> {
  const load = createRevisionLoader(database);
  const findOne = async (sql: string, values: readonly string[]): Promise<RevisionRecord | undefined> => {
    const pointers = await database.read<RevisionPointer>(sql, values);
    const [record] = await load(pointers);
    return record;
  };
  return {
    listRevisions: async (eventId, limit) => {
      const sql =
        "SELECT id, manifest_sha256 FROM revisions WHERE event_id = $1 ORDER BY sequence DESC LIMIT $2";
      const revisions = await cache.answer(eventId, `revisions ${limit}`, async () => {
        const pointers = await database.read<RevisionPointer>(sql, [eventId, limit]);
        const records = await load(pointers.toReversed());
        const value = Object.freeze(records.filter((record) => record !== undefined));
        return { value, byteLength: referenceBytes * (value.length + 1) };
      });
      return revisions ?? nothing;
    },
    listChanges: async (eventId, limit, before) => {
      const list = await cache.answer(eventId, `changes ${limit} ${before}`, async () => {
        const rows = await listServiceChanges(database, eventId, { limit, before });
        const records = await load(rows);
        const value: readonly ChangeRecord[] = rows.flatMap(({ change }, at) => {
          const revision = records[at];
          return revision ? Object.freeze({ revision, change }) : [];
        });
        // Callers keep a rendered answer for each list, and there are many pages.
        const manifestBytes = value.reduce((sum, { revision }) => sum + revision.manifest.byteLength, 0);
        return {
          value: Object.freeze(value),
          byteLength: referenceBytes * (value.length + 1) + manifestBytes,
        };
      });
      return list ?? nothing;
    },
    findRevision: (eventId, revisionId) =>
      findOne("SELECT id, manifest_sha256 FROM revisions WHERE event_id = $1 AND revision_id = $2", [
        eventId,
        revisionId,
      ]),
    findLatestRevision: (eventId) =>
      findOne(
        "SELECT id, manifest_sha256 FROM revisions WHERE event_id = $1 ORDER BY sequence DESC LIMIT 1",
        [eventId],
      ),
  };
}

type VersionedEventRow = EventRow & { readonly version: number };

/** Keeps the answers whose rows are unchanged, because callers compare them by identity. */
function createEventReads(database: Database): Pick<CatalogReader, "listEvents" | "findEvent"> {
  const records = createLastAnswers<ReturnType<typeof toEventRecord>>();
  const lists = createLastAnswers<readonly ReturnType<typeof toEventRecord>[]>();
  const toRecord = (row: VersionedEventRow): ReturnType<typeof toEventRecord> =>
    records(row.id, String(row.version), () => toEventRecord(toEventState(row) satisfies EventState));
  return {
    listEvents: async (limit) => {
      const rows = await database.read<VersionedEventRow>(
        `SELECT version, ${eventColumns} FROM events
          ORDER BY coalesce(ended_at, started_at) DESC NULLS LAST, id LIMIT $1`,
        [limit],
      );
      const state = rows.map(({ version }) => version).join(" ");
      return lists(String(limit), state, () => Object.freeze(rows.map(toRecord)));
    },
    findEvent: async (eventId) => {
      const sql = `SELECT version, ${eventColumns} FROM events WHERE id = $1`;
      const [row] = await database.read<VersionedEventRow>(sql, [eventId]);
      return row && toRecord(row);
    },
  };
}

function createNewestAssets(database: Database): CatalogReader["listNewestAssets"] {
  const answers = createLastAnswers<Awaited<ReturnType<CatalogReader["listNewestAssets"]>>>();
  return async () => {
    const rows = await database.read<AssetRow>(
      `SELECT a.* FROM unnest($1::text[]) WITH ORDINALITY AS wanted (product, place)
        CROSS JOIN LATERAL (SELECT ${assetColumns} FROM assets WHERE product_id = wanted.product
          ORDER BY discovery DESC LIMIT 1) AS a
        ORDER BY place`,
      [productIds],
    );
    return answers("", JSON.stringify(rows), () => Object.freeze(rows.map(toAssetRecord)));
  };
}

/** Most answers that are compared; others are made again. */
const mostAnswers = 1_000;

/** Returns a function that returns the last answer of a key again as long as the state is the same. */
function createLastAnswers<Answer>(): (key: string, state: string, make: () => Answer) => Answer {
  const last = new Map<string, { readonly state: string; readonly answer: Answer }>();
  return (key, state, make) => {
    const known = last.get(key);
    if (known?.state === state) return known.answer;
    if (last.size >= mostAnswers) last.clear();
    const answer = make();
    last.set(key, { state, answer });
    return answer;
  };
}
