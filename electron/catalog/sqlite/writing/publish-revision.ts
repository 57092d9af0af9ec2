// Publishes one revision: gathers the state inside the transaction, and carries out the plan.
import type { PublishedLayer, PublishOutcome } from "../../catalog.ts";
import { parseInstant } from "../../plans/instants.ts";
import {
  planPublication,
  type LayerState,
  type Publication,
  type PublicationPlan,
  type PublicationState,
} from "../../plans/plan-publication.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { createPublished, type Published } from "./published-windows.ts";
import { createEventWriter, createRevisionWriter } from "./revision-rows.ts";
import type { StoredAmong } from "./stored-frames.ts";

export interface PublicationWrites {
  /** Returns the layers whose frames a publication probably shows. */
  probableLayers(publication: Publication): readonly PublishedLayer[];
  /** Call it inside a write transaction. */
  publish(publication: Publication, storedAmong: StoredAmong, now: Date): PublishOutcome;
}

export function createPublication(prepare: Prepare): PublicationWrites {
  const published = createPublished(prepare);
  const gather = createGathering(prepare, published);
  const carryOut = createCarryingOut(prepare);
  return {
    probableLayers: ({ event, layers, window }) => [...layers, ...published.windowLayers(event.id, window)],
    publish: (publication, storedAmong, now) =>
      carryOut(planPublication(publication, gather(publication, storedAmong), now.getTime())),
  };
}

function createGathering(
  prepare: Prepare,
  published: Published,
): (publication: Publication, storedAmong: StoredAmong) => PublicationState {
  const findEvent = prepareEvent(prepare);
  return ({ event, layers, assetIds, window }, storedAmong) => {
    const toLayerState = (layer: PublishedLayer, assetId: number | undefined): LayerState => {
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
      storedFrames: storedAmong([...layers, ...windowLayers]),
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
    for (const { id, sha256, completedAtMs } of completed)
      completeAsset.run(completedAtMs, sha256 ?? null, id);
    if (!published) {
      noteAssets();
      return { revision: undefined, unchanged, change: undefined };
    }
    writeEvent(published.event);
    return { revision: writeRevision(published.revision), unchanged, change: published.change };
  };
}
