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
import { holdStored, writeRevision } from "./write-rows.ts";

export async function writePublication(query: Query, draft: PublishDraft): Promise<PublishOutcome> {
  const publication = checkPublication(draft);
  const { state, nowMs } = await gather(query, publication);
  return carryOut(query, planPublication(publication, state, nowMs));
}

async function gather(
  query: Query,
  { event: { id }, layers, assetIds, window }: Publication,
): Promise<{ readonly state: PublicationState; readonly nowMs: number }> {
  const event = await lockEvent(query, id);
  const [layerStates, windowLayers, newestWindow, nowMs] = await Promise.all([
    Promise.all(layers.map((layer, at) => readLayerState(query, id, { layer, assetId: assetIds[at] }))),
    findLayersOfWindow(query, id, window),
    findNewestWindow(query, id),
    readClock(query),
  ]);
  const storedFrames = await holdStored(query, [...layers, ...windowLayers]);
  return { state: { event, layers: layerStates, windowLayers, newestWindow, storedFrames }, nowMs };
}

async function readLayerState(
  query: Query,
  eventId: string,
  { layer, assetId }: { readonly layer: Publication["layers"][number]; readonly assetId: number | undefined },
): Promise<LayerState> {
  const { productId, observedAt, sourceSha256: sha256, messageSha256 } = layer;
  const [newest, isRepeated] = await Promise.all([
    findNewestMessage(query, eventId, { productId, observedAtMs: parseInstant(observedAt) }),
    assetId !== undefined && sha256 !== undefined
      ? isRepeatedAsset(query, assetId, { sha256, messageSha256 })
      : false,
  ]);
  return { newestMessageSha256: newest?.messageSha256, isRepeated };
}

async function carryOut(
  query: Query,
  { completed, unchanged, published }: PublicationPlan,
): Promise<PublishOutcome> {
  const completions = completed.map(({ id, sha256, completedAtMs }) =>
    query(
      `UPDATE assets SET status = 'complete', completed_at = $1, sha256 = coalesce($2, sha256), error_message = NULL
        WHERE id = $3`,
      [completedAtMs, sha256 ?? null, id],
    ),
  );
  const [revision] = await Promise.all([
    published && writeRevision(query, published.event, published.revision),
    ...completions,
  ]);
  return { revision, unchanged, change: published?.change };
}
