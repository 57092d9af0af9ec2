// Reads for feeds, replays, mirrors and the command line. They are rare, so nothing is cached.
import type { WorkReader } from "../../catalog.ts";
import { prepareKeptOverlays } from "../overlays-table.ts";
import { prepareSteps } from "../steps-table.ts";
import { createFeedLogReader } from "../feed-log.ts";
import { inDrawingOrder } from "../../plans/compose-manifest.ts";
import { answer, type Prepare } from "../queries.ts";
import { toAssetRecord, toPublishedLayer, toRevisionRecord, toStepsRecord } from "../../rows/catalog-rows.ts";
import type { AssetRow, LayerRow, OverlayRow, RevisionRow } from "../../rows/catalog-rows.ts";

export function createWorkReader(prepare: Prepare): WorkReader {
  const assets = prepare<AssetRow>("SELECT * FROM assets WHERE event_id = ? ORDER BY observed_at, locator");
  const layers = prepare<LayerRow>(`
    SELECT * FROM revision_layers WHERE revision =
      (SELECT id FROM revisions WHERE event_id = ? AND revision_id = ?)`);
  const revisionAfter = prepare<RevisionRow>(
    "SELECT * FROM revisions WHERE event_id = ? AND sequence > ? ORDER BY sequence LIMIT 1",
  );
  const readLog = createFeedLogReader(prepare);
  const findSteps = prepareSteps(prepare);
  const listKept = prepareKeptOverlays(prepare);
  const overlay = prepare<Pick<OverlayRow, "content">>(
    "SELECT content FROM kept_overlays WHERE event_id = ? AND sha256 = ? LIMIT 1",
  );
  return {
    listAssets: (eventId) => answer(() => assets.all(eventId).map(toAssetRecord)),
    listLayers: (eventId, revisionId) =>
      answer(() => inDrawingOrder(layers.all(eventId, revisionId).map(toPublishedLayer))),
    findRevisionAfter: (eventId, sequence) =>
      answer(() => {
        const row = revisionAfter.first(eventId, sequence);
        return row && toRevisionRecord(row);
      }),
    listFeedLog: (query) => answer(() => readLog(query)),
    findSteps: (eventId) =>
      answer(() => {
        const row = findSteps(eventId);
        return row && toStepsRecord(row);
      }),
    listKeptOverlays: (eventId) => answer(() => listKept(eventId)),
    readKeptOverlay: (eventId, sha256) => answer(() => overlay.first(eventId, sha256)?.content),
  };
}
