// Writes rows of another catalog into the database of a service as they are. The foreign key of the layers refuses a
// revision whose frame is not stored.
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../../platform/postgres/database.ts";
import { feedLogLimit } from "../../catalog.ts";
import { toAssetRowValues, toLogRowValues } from "../../rows/row-values.ts";
import { eventChanged, type RowWriter } from "../../rows/stored-rows.ts";
import { logColumns, parameters } from "../service-columns.ts";
import { createCommit, lockEvent } from "../writing/service-transaction.ts";
import { logLock } from "../writing/write-assets.ts";
import { writeOverlayRow } from "../writing/write-overlays.ts";
import { writeStepsRow } from "../writing/write-steps.ts";
import { insertRevisionRows, writeEvent } from "../writing/write-rows.ts";

const assetFacts =
  "product_id observed_at byte_length sha256 last_modified_at etag status completed_at error_message".split(
    " ",
  );

const upsertAsset = `
  INSERT INTO assets AS a (event_id, locator, ${assetFacts.join(", ")}, discovery)
    VALUES (${parameters(11)}, nextval('asset_discoveries'))
    ON CONFLICT (event_id, locator) DO UPDATE
      SET ${[...assetFacts, "discovery"].map((name) => `${name} = excluded.${name}`).join(", ")}
      WHERE (${assetFacts.map((name) => `a.${name}`).join(", ")})
        IS DISTINCT FROM (${assetFacts.map((name) => `excluded.${name}`).join(", ")})
    RETURNING 1`;

const appendEntry = `
  INSERT INTO feed_log (id, ${logColumns}) OVERRIDING SYSTEM VALUE VALUES (${parameters(15)})
    ON CONFLICT (id) DO NOTHING`;

export function createServiceRowWriter(database: Database): RowWriter {
  const commit = createCommit(database);
  return {
    writeEvent: ({ before, after, revisions, withdrawn }) =>
      commit("durable", async (query, isAgain) => {
        const present = await lockEvent(query, after.id);
        // The answer of an earlier commit was lost.
        if (isAgain && isDeepStrictEqual(present, after)) return;
        if (!isDeepStrictEqual(present, before)) throw eventChanged(after.id);
        await Promise.all([
          writeEvent(query, after),
          ...revisions.map((revision) => insertRevisionRows(query, revision)),
          ...withdrawn.map((row) =>
            query(
              `INSERT INTO withdrawn_revisions (event_id, sequence, revision_id, withdrawn_at, reason)
                VALUES (${parameters(5)}) ON CONFLICT DO NOTHING`,
              [row.event_id, row.sequence, row.revision_id, row.withdrawn_at, row.reason],
            ),
          ),
        ]);
      }),
    writeAssets: (assets) =>
      commit("durable", async (query) => {
        const written = await Promise.all(assets.map((asset) => query(upsertAsset, toAssetRowValues(asset))));
        return written.filter(({ length }) => length > 0).length;
      }),
    writeLog: (entries) =>
      commit("durable", async (query) => {
        await query("SELECT pg_advisory_xact_lock($1)", [logLock]);
        await Promise.all(entries.map((entry) => query(appendEntry, [entry.id, ...toLogRowValues(entry)])));
        await query(
          "SELECT setval(pg_get_serial_sequence('feed_log', 'id'), (SELECT max(id) FROM feed_log))",
        );
        await query("DELETE FROM feed_log WHERE id <= (SELECT max(id) FROM feed_log) - $1::bigint", [
          feedLogLimit,
        ]);
      }),
    writeSteps: (row) => commit("durable", (query) => writeStepsRow(query, row)),
    writeOverlay: (row) => commit("durable", (query) => writeOverlayRow(query, row)),
  };
}
