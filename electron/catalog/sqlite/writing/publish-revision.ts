// Publishes one revision: the body of its transaction. The frames are already on disk.
import { AppError } from "../../../../shared/app-error.ts";
import { EventId, FrameId } from "../../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../../shared/geo/bounds.ts";
import { observationWindow } from "../../../../shared/revisions/observation-window.ts";
import type { RevisionChange } from "../../../../shared/revisions/publication.ts";
import type { PublishDraft, PublishedLayer, PublishOutcome } from "../../catalog.ts";
import { requireNotAhead, resolveIdentity } from "../../plans/event-rules.ts";
import { parseInstant, toInstant } from "../../plans/instants.ts";
import { composeManifest, inDrawingOrder } from "../../plans/compose-manifest.ts";
import { createPublished, type Published } from "./published-windows.ts";
import { type Prepare, prepareEvent, prepareNote } from "../queries.ts";
import { createEventWriter, createRevisionWriter, type NextRevision } from "./revision-rows.ts";
import { toEventRecord, type EventRow } from "../catalog-rows.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

/** Returns the function that publishes. Call it inside a write transaction. */
export function createPublication(
  prepare: Prepare,
  files: StoredFiles,
): (draft: PublishDraft, now: Date) => PublishOutcome {
  const published = createPublished(prepare);
  const findEvent = prepareEvent(prepare);
  const writeEvent = createEventWriter(prepare);
  const writeRevision = createRevisionWriter(prepare);
  const completeAsset = prepare(
    "UPDATE assets SET status = 'complete', completed_at = ?, sha256 = coalesce(?, sha256), error_message = NULL WHERE id = ?",
  );
  const noteAssets = prepareNote(prepare, "asset_version");

  return (draft, now) => {
    const window = checkDraft(draft);
    const eventId = draft.event.id;
    const event = findEvent(eventId);
    const identity = resolveIdentity(event && toEventRecord(event), draft.event);
    const layers = draft.layers.map(toCanonical);
    for (const { observedAt } of layers) {
      requireNotAhead(identity, parseInstant(observedAt), now.getTime());
    }
    noteAssets();
    const fresh = layers.filter(
      (layer, at) =>
        !isPublished(published, eventId, layer) && !isRepeated(published, draft.assetIds[at], layer),
    );
    for (const [at, id] of draft.assetIds.entries()) {
      completeAsset.run(now.getTime(), layers[at]?.sourceSha256 ?? null, id);
    }
    const unchanged = layers.filter((layer) => !fresh.includes(layer)).map(({ productId }) => productId);
    requireFrames(files, fresh);
    const before = published.windowLayers(eventId, window);
    const [first, ...others] = inDrawingOrder([...fresh, ...carriedOver(files, before, fresh)]);
    if (fresh.length === 0 || !first) return { revision: undefined, unchanged, change: undefined };
    const change = toChange(before, fresh, window, published.newestWindow(eventId));
    const next = toNextRevision(event, eventId, [first, ...others], now);
    writeEvent(event, identity, next);
    const { origin } = identity;
    const manifest = composeManifest({ ...next, origin, publishedAt: toInstant(next.publishedAtMs) });
    return { revision: writeRevision(next, manifest), unchanged, change };
  };
}

/** Returns the observation window of the draft. @throws AppError `invalid-input` for an invalid draft */
function checkDraft({ event, layers }: PublishDraft): number {
  const refuse = (why: string): AppError =>
    new AppError("invalid-input", `This cannot be published: ${why}.`);
  if (!EventId.safeParse(event.id).success) throw refuse(`"${event.id}" is not an event id`);
  const [first, ...others] = layers;
  if (!first) throw refuse("it has no layer");
  if (new Set(layers.map(({ productId }) => productId)).size < layers.length) {
    throw refuse("it has a product twice");
  }
  for (const { frameId, observedAt } of layers) {
    if (!FrameId.safeParse(frameId).success) throw refuse(`"${frameId}" is not a frame id`);
    parseInstant(observedAt);
  }
  const window = observationWindow(first.observedAt);
  if (others.some(({ observedAt }) => observationWindow(observedAt) !== window)) {
    throw refuse("its layers are of different observation windows");
  }
  return window;
}

/** Normalizes instants, so that manifest and rows write them the same way. */
function toCanonical(layer: PublishedLayer): PublishedLayer {
  const { observedAt, sourceLastModified } = layer;
  return {
    ...layer,
    observedAt: toInstant(parseInstant(observedAt)),
    sourceLastModified: sourceLastModified && toInstant(parseInstant(sourceLastModified)),
  };
}

function isPublished(published: Published, eventId: string, layer: PublishedLayer): boolean {
  const newest = published.message(eventId, layer.productId, parseInstant(layer.observedAt));
  return newest?.messageSha256 === layer.messageSha256;
}

/** True if the layer's asset has the bytes that it was last completed with. */
function isRepeated(
  published: Published,
  assetId: number | undefined,
  { sourceSha256: sha256, messageSha256 }: PublishedLayer,
): boolean {
  if (assetId === undefined || sha256 === undefined) return false;
  return published.isRepeated(assetId, { sha256, messageSha256 });
}

/**
 * Checks that the frames exist, under the write lock, so that retention cannot remove one meanwhile.
 * @throws AppError `frame-missing`
 */
export function requireFrames(files: StoredFiles, layers: readonly PublishedLayer[]): void {
  for (const { productId, frameId } of layers) {
    if (files.hasFrame(frameId)) continue;
    throw new AppError("frame-missing", `The frame of ${productId} is not in the store.`, {
      context: { frameId },
    });
  }
}

/** Returns the unchanged layers of the window. Omits one whose frame was lost, which is for a repair. */
function carriedOver(
  files: StoredFiles,
  before: readonly PublishedLayer[],
  fresh: readonly PublishedLayer[],
): readonly PublishedLayer[] {
  return before.filter(
    ({ productId, frameId }) =>
      !fresh.some((layer) => layer.productId === productId) && files.hasFrame(frameId),
  );
}

function toChange(
  before: readonly PublishedLayer[],
  fresh: readonly PublishedLayer[],
  window: number,
  newestWindow: number | undefined,
): RevisionChange {
  if (before.length === 0) return window > (newestWindow ?? -Infinity) ? "first" : "backfill";
  const replaces = fresh.some((layer) => before.some(({ productId }) => productId === layer.productId));
  return replaces ? "correction" : "completion";
}

function toNextRevision(
  event: EventRow | undefined,
  eventId: string,
  layers: readonly [PublishedLayer, ...PublishedLayer[]],
  now: Date,
): NextRevision {
  const sequence = (event?.last_sequence ?? 0) + 1;
  const observedAtMs = Math.max(...layers.map(({ observedAt }) => parseInstant(observedAt)));
  const [first, ...others] = layers;
  return {
    eventId,
    revisionId: toRevisionId(observedAtMs, sequence),
    sequence,
    observedAtMs,
    publishedAtMs: toPublishedAtMs(event, now),
    layers,
    bounds: unionBounds(first.bounds, ...others.map(({ bounds }) => bounds)),
  };
}

/** Returns the publication time, never before the last one, even if the clock was set back. */
export function toPublishedAtMs(event: EventRow | undefined, now: Date): number {
  return Math.max(now.getTime(), event?.last_published_at ?? -Infinity);
}

/** Formats as `20240228T025239Z-7`: the observation to the second, and the sequence, which is unique in its event. */
export function toRevisionId(observedAtMs: number, sequence: number): string {
  const compact = new Date(observedAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `${compact}Z-${sequence}`;
}
