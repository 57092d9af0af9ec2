// Publishes one revision: gathers the state inside the transaction, and carries out the plan.
import type { PublishDraft, PublishOutcome } from "../../catalog.ts";
import { parseInstant } from "../../plans/instants.ts";
import {
  checkPublication,
  planPublication,
  type LayerState,
  type Publication,
  type PublicationPlan,
  type PublicationState,
} from "../../plans/plan-publication.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import { createPublished } from "./published-windows.ts";
import { createEventWriter, createRevisionWriter } from "./revision-rows.ts";
import { storedAmong } from "./stored-frames.ts";

/** Returns the function that publishes. Call it inside a write transaction. */
export function createPublication(
  prepare: Prepare,
  files: StoredFiles,
): (draft: PublishDraft, now: Date) => PublishOutcome {
  const gather = createGathering(prepare, files);
  const carryOut = createCarryingOut(prepare);
  return (draft, now) => {
    const publication = checkPublication(draft);
    return carryOut(planPublication(publication, gather(publication), now.getTime()));
  };
}

function createGathering(
  prepare: Prepare,
  files: StoredFiles,
): (publication: Publication) => PublicationState {
  const published = createPublished(prepare);
  const findEvent = prepareEvent(prepare);
  return ({ event, layers, assetIds, window }) => {
    const toLayerState = (layer: Publication["layers"][number], assetId: number | undefined): LayerState => {
      const { productId, observedAt, sourceSha256: sha256, messageSha256 } = layer;
      const newest = published.message(event.id, productId, parseInstant(observedAt));
      return {
        newestMessageSha256: newest?.messageSha256,
        isRepeated:
          assetId !== undefined &&
          sha256 !== undefined &&
          published.isRepeated(assetId, { sha256, messageSha256 }),
      };
    };
    const windowLayers = published.windowLayers(event.id, window);
    return {
      event: findEvent(event.id),
      layers: layers.map((layer, at) => toLayerState(layer, assetIds[at])),
      windowLayers,
      newestWindow: published.newestWindow(event.id),
      storedFrames: storedAmong(files, [...layers, ...windowLayers]),
    };
  };
}

function createCarryingOut(prepare: Prepare): (plan: PublicationPlan) => PublishOutcome {
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const completeAsset = prepare(
    "UPDATE assets SET status = 'complete', completed_at = ?, sha256 = coalesce(?, sha256), error_message = NULL WHERE id = ?",
  );
  const noteAssets = prepareNote(prepare, "asset_version");
  return ({ completed, unchanged, published }) => {
    noteAssets();
    for (const { id, sha256, completedAtMs } of completed)
      completeAsset.run(completedAtMs, sha256 ?? null, id);
    if (!published) return { revision: undefined, unchanged, change: undefined };
    writeEvent(published.event);
    return { revision: writeRevision(published.revision), unchanged, change: published.change };
  };
}
