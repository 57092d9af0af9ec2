// The log of the feeds: what they received, published, missed and rejected. Bounded; entries never change.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import { feedLogLimit } from "../catalog.ts";
import type { FeedLogEntry, FeedLogKind, FeedLogQuery, FeedLogRecord } from "../catalog.ts";
import { parseInstant, toInstant, toInstantOrUndefined } from "../plans/instants.ts";
import { type Prepare, prepareNote } from "./queries.ts";

/** Columns of the log. */
export interface FeedLogRow {
  readonly id: number;
  readonly at: number;
  readonly source: string;
  readonly event_id: string;
  readonly kind: FeedLogKind;
  readonly product_id: ProductId | null;
  readonly observed_at: number | null;
  readonly locator: string | null;
  readonly byte_length: number | null;
  readonly delay_ms: number | null;
  readonly duration_ms: number | null;
  readonly revision_id: string | null;
  readonly sequence: number | null;
  readonly change: RevisionChange | null;
  readonly message: string | null;
}

/** Returns a function that appends entries. Call it inside a write transaction. */
export function createFeedLogWriter(prepare: Prepare): (entries: readonly FeedLogEntry[]) => void {
  const insert = prepare(`
    INSERT INTO feed_log (at, source, event_id, kind, product_id, observed_at, locator, byte_length, delay_ms,
        duration_ms, revision_id, sequence, change, message)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const forget = prepare("DELETE FROM feed_log WHERE id <= (SELECT max(id) FROM feed_log) - ?");
  // Otherwise readers would treat the commit as a change by hand, and drop their caches.
  const noteChange = prepareNote(prepare, "asset_version");
  return (entries) => {
    for (const entry of entries) {
      insert.run(...toLogValues(entry));
    }
    forget.run(feedLogLimit);
    noteChange();
  };
}

export function createFeedLogReader(prepare: Prepare): (query: FeedLogQuery) => readonly FeedLogRecord[] {
  const newest = prepare<FeedLogRow>("SELECT * FROM feed_log ORDER BY id DESC LIMIT ?");
  const following = prepare<FeedLogRow>("SELECT * FROM feed_log WHERE id > ? ORDER BY id LIMIT ?");
  return ({ limit, afterId }) => {
    const rows = afterId === undefined ? newest.all(limit).reverse() : following.all(afterId, limit);
    return rows.map(toLogRecord);
  };
}

/** Returns the values of an entry's columns, except for its id. */
export function toLogValues(entry: FeedLogEntry): (string | number | null)[] {
  return [
    parseInstant(entry.at),
    entry.source,
    entry.eventId,
    entry.kind,
    entry.productId ?? null,
    entry.observedAt === undefined ? null : parseInstant(entry.observedAt),
    entry.locator ?? null,
    toWhole(entry.byteLength),
    toWhole(entry.delayMs),
    toWhole(entry.durationMs),
    entry.revisionId ?? null,
    entry.sequence ?? null,
    entry.change ?? null,
    entry.message ?? null,
  ];
}

/** Rounds: measured times have fractions, columns do not. */
function toWhole(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value);
}

export function toLogRecord(row: FeedLogRow): FeedLogRecord {
  return Object.freeze({
    id: row.id,
    at: toInstant(row.at),
    source: row.source,
    eventId: row.event_id,
    kind: row.kind,
    productId: row.product_id ?? undefined,
    observedAt: toInstantOrUndefined(row.observed_at),
    locator: row.locator ?? undefined,
    byteLength: row.byte_length ?? undefined,
    delayMs: row.delay_ms ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    revisionId: row.revision_id ?? undefined,
    sequence: row.sequence ?? undefined,
    change: row.change ?? undefined,
    message: row.message ?? undefined,
  });
}
