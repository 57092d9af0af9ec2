// Publishes one revision: gathers the state under the event's lock, and carries out the plan. A publication that is
// repeated after the answer of its commit was lost finds its own layers and changes nothing.
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
import {
  findLayersOfWindow,
  findNewestMessage,
  findNewestWindow,
  isRepeatedAsset,
} from "./published-state.ts";
import { lockEvent, readClock, type Query } from "./service-transaction.ts";
import { holdStored, writeEvent, writeRevision } from "./write-rows.ts";

export async function writePublication(query: Query, draft: PublishDraft): Promise<PublishOutcome> {
  const publication = checkPublication(draft);
  const state = await gather(query, publication);
  return carryOut(query, planPublication(publication, state, await readClock(query)));
}

async function gather(
  query: Query,
  { event, layers, assetIds, window }: Publication,
): Promise<PublicationState> {
  const locked = await lockEvent(query, event.id);
  const layerStates: LayerState[] = [];
  for (const [at, layer] of layers.entries()) {
    layerStates.push(await readLayerState(query, event.id, { layer, assetId: assetIds[at] }));
  }
  const windowLayers = await findLayersOfWindow(query, event.id, window);
  return {
    event: locked,
    layers: layerStates,
    windowLayers,
    newestWindow: await findNewestWindow(query, event.id),
    storedFrames: await holdStored(query, [...layers, ...windowLayers]),
  };
}

async function readLayerState(
  query: Query,
  eventId: string,
  { layer, assetId }: { readonly layer: Publication["layers"][number]; readonly assetId: number | undefined },
): Promise<LayerState> {
  const { productId, observedAt, sourceSha256: sha256, messageSha256 } = layer;
  const newest = await findNewestMessage(query, eventId, {
    productId,
    observedAtMs: parseInstant(observedAt),
  });
  return {
    newestMessageSha256: newest?.messageSha256,
    isRepeated:
      assetId !== undefined &&
      sha256 !== undefined &&
      (await isRepeatedAsset(query, assetId, { sha256, messageSha256 })),
  };
}

async function carryOut(
  query: Query,
  { completed, unchanged, published }: PublicationPlan,
): Promise<PublishOutcome> {
  for (const { id, sha256, completedAtMs } of completed) {
    await query(
      `UPDATE assets SET status = 'complete', completed_at = $1, sha256 = coalesce($2, sha256), error_message = NULL
        WHERE id = $3`,
      [completedAtMs, sha256 ?? null, id],
    );
  }
  if (!published) return { revision: undefined, unchanged, change: undefined };
  await writeEvent(query, published.event);
  return { revision: await writeRevision(query, published.revision), unchanged, change: published.change };
}
