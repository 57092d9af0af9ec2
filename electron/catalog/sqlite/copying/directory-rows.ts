// Reads the rows of a data directory as they are stored.
import type { DatabaseSync } from "node:sqlite";
import type { EventRow, LayerRow, OverlayRow, RevisionRow } from "../../rows/catalog-rows.ts";
import type { FeedLogRow } from "../../rows/log-rows.ts";
import type { DiscoveredAsset, EventSummaryRow, StoredRows, WithdrawnRow } from "../../rows/stored-rows.ts";
import { prepareSteps } from "../steps-table.ts";
import { answer, countRows, createPrepare, type Prepare } from "../queries.ts";

export function createDirectoryRows(database: DatabaseSync): StoredRows {
  const prepare = createPrepare(database);
  /** Reads several rows as of one committed state. */
  const readTogether = <Result>(read: () => Result): Promise<Result> =>
    answer(() => {
      database.exec("BEGIN");
      try {
        return read();
      } finally {
        database.exec("COMMIT");
      }
    });
  const events = prepare<EventRow>("SELECT * FROM events ORDER BY id");
  const event = prepare<EventRow>("SELECT * FROM events WHERE id = ?");
  const summary = prepareSummary(prepare);
  const revisions = prepare<RevisionRow>(
    "SELECT * FROM revisions WHERE event_id = ? AND sequence > ? ORDER BY sequence LIMIT ?",
  );
  const layers = prepare<LayerRow>("SELECT * FROM revision_layers WHERE revision = ? ORDER BY product_id");
  const withdrawn = prepare<WithdrawnRow>(
    "SELECT * FROM withdrawn_revisions WHERE event_id = ? ORDER BY sequence",
  );
  const assets = prepare<DiscoveredAsset>(
    "SELECT * FROM assets WHERE discovery > ? ORDER BY discovery LIMIT ?",
  );
  const log = prepare<FeedLogRow>("SELECT * FROM feed_log WHERE id > ? ORDER BY id LIMIT ?");
  const newestEntry = prepare<FeedLogRow>("SELECT * FROM feed_log ORDER BY id DESC LIMIT 1");
  const steps = prepareSteps(prepare);
  const overlays = prepare<OverlayRow>("SELECT * FROM kept_overlays WHERE event_id = ? ORDER BY name");
  return {
    countRows: () => answer(() => countRows(prepare)),
    listEvents: () => answer(() => events.all()),
    summarize: (eventId) =>
      readTogether(() => {
        const row = event.first(eventId);
        return row && { row, summary: summary(eventId) };
      }),
    listRevisions: (eventId, after, limit) =>
      readTogether(() =>
        revisions.all(eventId, after, limit).map((row) => ({ row, layers: layers.all(row.id) })),
      ),
    listWithdrawn: (eventId) => answer(() => withdrawn.all(eventId)),
    listAssets: (after, limit) => answer(() => assets.all(after, limit)),
    listLog: (after, limit) => answer(() => log.all(after, limit)),
    findNewestLogEntry: () => answer(() => newestEntry.first()),
    findSteps: (eventId) => answer(() => steps(eventId)),
    listOverlays: (eventId) => answer(() => overlays.all(eventId)),
  };
}

/** Returns a function that summarizes an event's revisions. */
export function prepareSummary(prepare: Prepare): (eventId: string) => EventSummaryRow {
  const summary = prepare<EventSummaryRow>(`
    SELECT count(*) AS count, max(sequence) AS last,
        (SELECT revision_id FROM revisions WHERE event_id = r.event_id ORDER BY sequence DESC LIMIT 1) AS newest_id,
        max(published_at) AS published_at, min(observed_at) AS started_at, max(observed_at) AS ended_at,
        min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north,
        (SELECT count(*) FROM withdrawn_revisions WHERE event_id = ?1) AS withdrawn,
        (SELECT max(sequence) FROM withdrawn_revisions WHERE event_id = ?1) AS last_withdrawn
      FROM revisions r WHERE event_id = ?1`);
  return (eventId) => summary.first(eventId)!;
}
