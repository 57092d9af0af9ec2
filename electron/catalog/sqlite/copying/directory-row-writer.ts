// Writes rows of another catalog into a data directory as they are.
import type { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { toStorageError } from "../../../platform/disk/storage-error.ts";
import { feedLogLimit } from "../../catalog.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { toAssetRowValues, toLogRowValues } from "../../rows/row-values.ts";
import { eventChanged, type RowWriter } from "../../rows/stored-rows.ts";
import { requireFrames } from "../../plans/next-revision.ts";
import { prepareOverlayWriter } from "../overlays-table.ts";
import { prepareStepsWriter } from "../steps-table.ts";
import { writeTransaction, type Commit } from "../catalog-database.ts";
import { createPrepare, prepareEvent, prepareNote } from "../queries.ts";
import { createEventWriter, createRevisionWriter } from "../writing/revision-rows.ts";
import { createFrameLooks } from "../writing/stored-frames.ts";

const upsertAsset = `
  INSERT INTO assets (event_id, locator, product_id, observed_at, byte_length, sha256, last_modified_at, etag, status,
      completed_at, error_message, discovery)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(discovery), 0) + 1 FROM assets))
    ON CONFLICT (event_id, locator) DO UPDATE SET product_id = excluded.product_id,
      observed_at = excluded.observed_at, byte_length = excluded.byte_length, sha256 = excluded.sha256,
      last_modified_at = excluded.last_modified_at, etag = excluded.etag, status = excluded.status,
      completed_at = excluded.completed_at, error_message = excluded.error_message, discovery = excluded.discovery
    WHERE (product_id, observed_at, byte_length, sha256, last_modified_at, etag, status, completed_at, error_message)
      IS NOT (excluded.product_id, excluded.observed_at, excluded.byte_length, excluded.sha256,
        excluded.last_modified_at, excluded.etag, excluded.status, excluded.completed_at, excluded.error_message)
    RETURNING id`;

export function createDirectoryRowWriter(database: DatabaseSync, files: StoredFiles): RowWriter {
  const prepare = createPrepare(database);
  const findEvent = prepareEvent(prepare);
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const withdraw = prepare("INSERT OR IGNORE INTO withdrawn_revisions VALUES (?, ?, ?, ?, ?)");
  const writeAsset = prepare<{ id: number }>(upsertAsset);
  const append = prepare("INSERT INTO feed_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const forget = prepare("DELETE FROM feed_log WHERE id <= (SELECT max(id) FROM feed_log) - ?");
  const writeSteps = prepareStepsWriter(prepare);
  const writeOverlay = prepareOverlayWriter(prepare);
  const noteContent = prepareNote(prepare, "content_version");
  const noteAssets = prepareNote(prepare, "asset_version");
  const commit: Commit = async (durability, body) => {
    try {
      return await writeTransaction(database, durability, body);
    } catch (error) {
      throw toStorageError(error, "The copied rows could not be written");
    }
  };
  const withFrames = createFrameLooks(prepare, files, commit);
  return {
    writeEvent: ({ before, after, revisions, withdrawn }) => {
      const layers = revisions.flatMap((revision) => revision.layers);
      return withFrames(layers, (storedAmong) =>
        commit("durable", () => {
          requireFrames(storedAmong(layers), layers);
          if (!isDeepStrictEqual(findEvent(after.id), before)) throw eventChanged(after.id);
          writeEvent(after);
          for (const revision of revisions) writeRevision(revision);
          for (const row of withdrawn) {
            withdraw.run(row.event_id, row.sequence, row.revision_id, row.withdrawn_at, row.reason);
          }
          noteContent();
        }),
      );
    },
    writeAssets: (assets) =>
      commit("durable", () => {
        noteAssets();
        return assets.filter((asset) => writeAsset.first(...toAssetRowValues(asset)) !== undefined).length;
      }),
    writeLog: (entries) =>
      commit("durable", () => {
        for (const entry of entries) append.run(entry.id, ...toLogRowValues(entry));
        forget.run(feedLogLimit);
        noteAssets();
      }),
    writeSteps: (row) =>
      commit("durable", () => {
        writeSteps(row);
      }),
    writeOverlay: (row) =>
      commit("durable", () => {
        writeOverlay(row);
      }),
  };
}
