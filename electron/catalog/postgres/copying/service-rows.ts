// Reads the rows of a service as they are stored. Each read is one statement, and so sees one committed state.
import type { Database, Session } from "../../../platform/postgres/database.ts";
import type { EventRow, LayerRow, RevisionRow } from "../../rows/catalog-rows.ts";
import type { FeedLogRow } from "../../rows/log-rows.ts";
import type {
  CatalogCounts,
  DiscoveredAsset,
  EventSummaryRow,
  StoredRows,
  WithdrawnRow,
} from "../../rows/stored-rows.ts";
import { listOverlayRows } from "../reading/stored-overlays.ts";
import { findStoredSteps } from "../reading/stored-steps.ts";
import { assetColumns, eventColumns, layerColumns, logColumns, revisionColumns } from "../service-columns.ts";

const summarized = `
  SELECT to_json(e) AS event, (SELECT to_json(s) FROM (
      SELECT count(*) AS count, max(sequence) AS last,
          (SELECT revision_id FROM revisions WHERE event_id = $1 ORDER BY sequence DESC LIMIT 1) AS newest_id,
          max(published_at) AS published_at, min(observed_at) AS started_at, max(observed_at) AS ended_at,
          min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north,
          (SELECT count(*) FROM withdrawn_revisions WHERE event_id = $1) AS withdrawn,
          (SELECT max(sequence) FROM withdrawn_revisions WHERE event_id = $1) AS last_withdrawn
        FROM revisions WHERE event_id = $1) s) AS summary
    FROM (SELECT ${eventColumns} FROM events WHERE id = $1) e`;

const revisionsAfter = `
  SELECT ${revisionColumns}, (SELECT coalesce(json_agg(l), '[]') FROM (
      SELECT ${layerColumns} FROM revision_layers WHERE revision = revisions.id ORDER BY product_id) l) AS layers
    FROM revisions WHERE event_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`;

export function createServiceRows({ read, transact }: Database): StoredRows {
  /** Reads what may take longer than other reads. */
  const readLong: Session["query"] = (sql, values) => transact("lazy", ({ query }) => query(sql, values));
  return {
    countRows: async () => {
      const sql =
        "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM revisions) AS revisions";
      return (await readLong<{ [Name in keyof CatalogCounts]: number }>(sql))[0]!;
    },
    listEvents: () => readLong<EventRow & object>(`SELECT ${eventColumns} FROM events ORDER BY id`),
    summarize: async (eventId) => {
      const [found] = await readLong<{ event: EventRow; summary: EventSummaryRow }>(summarized, [eventId]);
      return found && { row: found.event, summary: found.summary };
    },
    listRevisions: async (eventId, after, limit) => {
      const rows = await read<RevisionRow & { layers: LayerRow[] }>(revisionsAfter, [eventId, after, limit]);
      return rows.map(({ layers, ...row }) => ({ row, layers }));
    },
    listWithdrawn: (eventId) =>
      read<WithdrawnRow & object>(
        `SELECT event_id, sequence, revision_id, withdrawn_at, reason FROM withdrawn_revisions
          WHERE event_id = $1 ORDER BY sequence`,
        [eventId],
      ),
    listAssets: (after, limit) =>
      read<DiscoveredAsset & object>(
        `SELECT ${assetColumns}, discovery FROM assets WHERE discovery > $1 ORDER BY discovery LIMIT $2`,
        [after, limit],
      ),
    listLog: (after, limit) =>
      read<FeedLogRow & object>(`SELECT id, ${logColumns} FROM feed_log WHERE id > $1 ORDER BY id LIMIT $2`, [
        after,
        limit,
      ]),
    findNewestLogEntry: async () =>
      (await read<FeedLogRow & object>(`SELECT id, ${logColumns} FROM feed_log ORDER BY id DESC LIMIT 1`))[0],
    findSteps: (eventId) => findStoredSteps(read, eventId),
    listOverlays: (eventId) => listOverlayRows(readLong, eventId),
  };
}
