// The log of the feeds: what they received, published, missed and rejected. Bounded; entries never change.
import { feedLogLimit } from "../catalog.ts";
import type { FeedLogEntry, FeedLogQuery, FeedLogRecord } from "../catalog.ts";
import { toLogRecord, toLogValues, type FeedLogRow } from "../rows/log-rows.ts";
import { type Prepare, prepareNote } from "./queries.ts";

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
