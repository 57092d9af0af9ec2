// Reads for feeds, replays, mirrors and the command line: uncached and without limits.
import type { Database } from "../../../platform/postgres/database.ts";
import type { WorkReader } from "../../catalog.ts";
import { inDrawingOrder } from "../../plans/compose-manifest.ts";
import { toAssetRecord, toPublishedLayer, toRevisionRecord, toStepsRecord } from "../../rows/catalog-rows.ts";
import type { AssetRow, LayerRow, RevisionRow } from "../../rows/catalog-rows.ts";
import { toLogRecord, type FeedLogRow } from "../../rows/log-rows.ts";
import { assetColumns, layerColumns, logColumns, revisionColumns } from "../service-columns.ts";
import { listStoredOverlays, readStoredOverlay } from "./stored-overlays.ts";
import { findStoredSteps } from "./stored-steps.ts";

export function createServiceWorkReader({ read }: Database): WorkReader {
  return {
    listAssets: async (eventId) => {
      const sql = `SELECT ${assetColumns} FROM assets WHERE event_id = $1 ORDER BY observed_at NULLS FIRST, locator`;
      return (await read<AssetRow>(sql, [eventId])).map(toAssetRecord);
    },
    listLayers: async (eventId, revisionId) => {
      const sql = `SELECT ${layerColumns} FROM revision_layers WHERE revision =
        (SELECT id FROM revisions WHERE event_id = $1 AND revision_id = $2)`;
      return inDrawingOrder((await read<LayerRow>(sql, [eventId, revisionId])).map(toPublishedLayer));
    },
    findRevisionAfter: async (eventId, sequence) => {
      const sql = `SELECT ${revisionColumns} FROM revisions WHERE event_id = $1 AND sequence > $2
        ORDER BY sequence LIMIT 1`;
      const [row] = await read<RevisionRow>(sql, [eventId, sequence]);
      return row && toRevisionRecord(row);
    },
    listFeedLog: async ({ limit, afterId }) => {
      const rows =
        afterId === undefined
          ? await read<FeedLogRow>(`SELECT id, ${logColumns} FROM feed_log ORDER BY id DESC LIMIT $1`, [
              limit,
            ])
          : await read<FeedLogRow>(
              `SELECT id, ${logColumns} FROM feed_log WHERE id > $2 ORDER BY id LIMIT $1`,
              [limit, afterId],
            );
      return (afterId === undefined ? rows.toReversed() : rows).map(toLogRecord);
    },
    findSteps: async (eventId) => {
      const row = await findStoredSteps(read, eventId);
      return row && toStepsRecord(row);
    },
    listKeptOverlays: (eventId) => listStoredOverlays(read, eventId),
    readKeptOverlay: (eventId, sha256) => readStoredOverlay(read, eventId, sha256),
  };
}
