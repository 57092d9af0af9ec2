// Source assets and the log of the feeds.
import { toStorableText } from "../../../platform/postgres/database.ts";
import type { AssetChange, AssetDraft, FeedLogEntry } from "../../catalog.ts";
import { feedLogLimit } from "../../catalog.ts";
import { toLogValues } from "../../rows/log-rows.ts";
import { toAssetValues } from "../../rows/row-values.ts";
import { logColumns, parameters } from "../service-columns.ts";
import { readClock, type Query } from "./service-transaction.ts";

const discover = `
  INSERT INTO assets AS a
      (event_id, locator, product_id, observed_at, byte_length, sha256, last_modified_at, etag, discovery, status)
    VALUES (${parameters(8)}, nextval('asset_discoveries'), 'discovered')
    ON CONFLICT (event_id, locator) DO UPDATE SET product_id = excluded.product_id,
      observed_at = excluded.observed_at, byte_length = excluded.byte_length,
      sha256 = coalesce(excluded.sha256, a.sha256), last_modified_at = excluded.last_modified_at,
      etag = excluded.etag, discovery = excluded.discovery, status = excluded.status, completed_at = NULL,
      error_message = NULL
    RETURNING id`;

/** Inserts or rediscovers assets. Returns ids in the order of the drafts, which is the order of discovery. */
export async function writeDiscoveries(
  query: Query,
  drafts: readonly AssetDraft[],
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const draft of drafts) {
    const [row] = await query<{ id: number }>(discover, [
      draft.eventId,
      draft.locator,
      ...toAssetValues(draft),
    ]);
    ids.push(row!.id);
  }
  return ids;
}

export async function writeAssetChange(query: Query, id: number, change: AssetChange): Promise<void> {
  await query(
    `UPDATE assets SET product_id = coalesce($1, product_id), observed_at = coalesce($2, observed_at),
        byte_length = coalesce($3, byte_length), sha256 = coalesce($4, sha256),
        last_modified_at = coalesce($5, last_modified_at), etag = coalesce($6, etag), status = $7,
        completed_at = $8, error_message = $9
      WHERE id = $10`,
    [
      ...toAssetValues(change),
      change.status,
      change.status === "complete" ? await readClock(query) : null,
      change.status === "failed" ? (change.errorMessage ?? null) : null,
      id,
    ],
  );
}

const wholeNumbers = ["at", "observed_at", "byte_length", "delay_ms", "duration_ms", "sequence"];
const logValues = logColumns
  .split(", ")
  .map((name, at) => (wholeNumbers.includes(name) ? `(entry->>${at})::bigint` : `entry->>${at}`));

/** Key of the advisory lock of the log ("flog" in ASCII). */
export const logLock = 0x666c6f67;

const appendEntries = `
  INSERT INTO feed_log (${logColumns})
    SELECT ${logValues.join(", ")} FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS list (entry, place)
    ORDER BY place RETURNING id`;

/**
 * Appends entries, and returns the id of the first. One writer appends at a time; else a reader of the log could miss
 * an entry that is committed later.
 */
export async function writeLogEntries(
  query: Query,
  entries: readonly FeedLogEntry[],
): Promise<number | undefined> {
  await lockLog(query);
  const list = JSON.stringify(entries.map(toLogValues), (_, value: unknown) =>
    typeof value === "string" ? toStorableText(value) : value,
  );
  const [first] = await query<{ id: number }>(appendEntries, [list]);
  await query("DELETE FROM feed_log WHERE id <= (SELECT max(id) FROM feed_log) - $1::bigint", [feedLogLimit]);
  return first?.id;
}

/** Returns the body of a transaction that appends entries, once, also if nobody knows whether it was committed. */
export function appendOnce(entries: readonly FeedLogEntry[]): (query: Query) => Promise<void> {
  let firstId: number | undefined;
  return async (query) => {
    if (firstId !== undefined) {
      await lockLog(query);
      if (await hasEntry(query, firstId, entries[0]!)) return;
    }
    firstId = await writeLogEntries(query, entries);
  };
}

async function lockLog(query: Query): Promise<void> {
  await query("SELECT pg_advisory_xact_lock($1)", [logLock]);
}

/** Compares the entry too: a server that crashed may use the id of a lost one again. */
async function hasEntry(query: Query, id: number, entry: FeedLogEntry): Promise<boolean> {
  const [at, source, eventId, kind] = toLogValues(entry);
  const sql =
    "SELECT 1 FROM feed_log WHERE id = $1 AND at = $2 AND source = $3 AND event_id = $4 AND kind = $5";
  return (await query(sql, [id, at!, source!, eventId!, kind!])).length > 0;
}
