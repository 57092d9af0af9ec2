// Decides what a publication changes: the event, the next revision, and the assets that it completes.
import { AppError } from "../../../shared/app-error.ts";
import { EventId, FrameId, type ProductId } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import type { PublishDraft, PublishedLayer } from "../catalog.ts";
import { composeManifest, inDrawingOrder } from "./compose-manifest.ts";
import { requireNotAhead, resolveIdentity } from "./event-rules.ts";
import type { EventState } from "./event-state.ts";
import { parseInstant, toInstant } from "./instants.ts";
import {
  growEvent,
  requireFrames,
  toPlanned,
  toPublishedAtMs,
  toRevisionId,
  type NextRevision,
  type PlannedRevision,
} from "./next-revision.ts";

/** A valid draft; its instants are written as rows and manifest write them. */
export interface Publication extends PublishDraft {
  readonly window: number;
}

/** Facts already published about one layer of a draft. */
export interface LayerState {
  /** Newest message of the product for exactly this time. */
  readonly newestMessageSha256: string | undefined;
  /** True if the layer's asset was last completed with its bytes, and a revision of its time shows its message. */
  readonly isRepeated: boolean;
}

export interface PublicationState {
  readonly event: EventState | undefined;
  /** One for each layer of the draft, in its order. */
  readonly layers: readonly LayerState[];
  /** Layers of the window's newest revision; empty if the window was never published. */
  readonly windowLayers: readonly PublishedLayer[];
  /** Newest published window of the event. */
  readonly newestWindow: number | undefined;
  /** Stored ones among the frames of the draft and of `windowLayers`. */
  readonly storedFrames: ReadonlySet<string>;
}

export interface CompletedAsset {
  readonly id: number;
  /** Absent: the stored value stays. */
  readonly sha256: string | undefined;
  readonly completedAtMs: number;
}

export interface PublicationPlan {
  readonly completed: readonly CompletedAsset[];
  readonly unchanged: readonly ProductId[];
  /** Undefined if every layer is unchanged. */
  readonly published:
    | {
        /** New values of the event. */
        readonly event: EventState;
        readonly revision: PlannedRevision;
        readonly change: RevisionChange;
      }
    | undefined;
}

/** @throws AppError `invalid-input` for an invalid draft */
export function checkPublication(draft: PublishDraft): Publication {
  const { event, layers } = draft;
  const refuse = (why: string): AppError =>
    new AppError("invalid-input", `This cannot be published: ${why}.`);
  if (!EventId.safeParse(event.id).success) throw refuse(`"${event.id}" is not an event id`);
  const [first, ...others] = layers;
  if (!first) throw refuse("it has no layer");
  if (new Set(layers.map(({ productId }) => productId)).size < layers.length) {
    throw refuse("it has a product twice");
  }
  for (const { frameId } of layers) {
    if (!FrameId.safeParse(frameId).success) throw refuse(`"${frameId}" is not a frame id`);
  }
  const canonical = layers.map(toCanonical);
  const window = observationWindow(first.observedAt);
  if (others.some(({ observedAt }) => observationWindow(observedAt) !== window)) {
    throw refuse("its layers are of different observation windows");
  }
  return { ...draft, layers: canonical, window };
}

/**
 * @throws AppError `conflict` for an archived or mirrored event; `source-invalid` for an observation too far ahead of
 * the clock; `frame-missing` if the frame of a new layer is not stored
 */
export function planPublication(
  { event: draft, layers, assetIds, window }: Publication,
  state: PublicationState,
  nowMs: number,
): PublicationPlan {
  const { event, windowLayers, storedFrames } = state;
  const identity = resolveIdentity(event, draft);
  for (const { observedAt } of layers) requireNotAhead(identity, parseInstant(observedAt), nowMs);
  const fresh = layers.filter((layer, at) => !isUnchanged(layer, state.layers[at]!));
  const unchanged = layers.filter((layer) => !fresh.includes(layer)).map(({ productId }) => productId);
  const completed = assetIds.map((id, at) => ({
    id,
    sha256: layers[at]?.sourceSha256,
    completedAtMs: nowMs,
  }));
  requireFrames(storedFrames, fresh);
  const shown = inDrawingOrder([...fresh, ...carriedOver(windowLayers, fresh, storedFrames)]);
  const [first, ...others] = shown;
  if (fresh.length === 0 || !first) return { completed, unchanged, published: undefined };
  const next = toNextRevision(event, draft.id, [first, ...others], nowMs);
  const { origin } = identity;
  const manifest = composeManifest({ ...next, origin, publishedAt: toInstant(next.publishedAtMs) });
  const published = {
    event: growEvent(event, identity, next),
    revision: toPlanned(next, manifest),
    change: toChange(windowLayers, fresh, window, state.newestWindow),
  };
  return { completed, unchanged, published };
}

function toCanonical(layer: PublishedLayer): PublishedLayer {
  const { observedAt, sourceLastModified } = layer;
  return {
    ...layer,
    observedAt: toInstant(parseInstant(observedAt)),
    sourceLastModified: sourceLastModified && toInstant(parseInstant(sourceLastModified)),
  };
}

function isUnchanged({ messageSha256 }: PublishedLayer, state: LayerState): boolean {
  return state.isRepeated || state.newestMessageSha256 === messageSha256;
}

/** Returns the unchanged layers of the window. Omits one whose frame was lost, which is for a repair. */
function carriedOver(
  before: readonly PublishedLayer[],
  fresh: readonly PublishedLayer[],
  storedFrames: ReadonlySet<string>,
): readonly PublishedLayer[] {
  return before.filter(
    ({ productId, frameId }) =>
      !fresh.some((layer) => layer.productId === productId) && storedFrames.has(frameId),
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
  event: EventState | undefined,
  eventId: string,
  layers: readonly [PublishedLayer, ...PublishedLayer[]],
  nowMs: number,
): NextRevision {
  const sequence = (event?.lastSequence ?? 0) + 1;
  const observedAtMs = Math.max(...layers.map(({ observedAt }) => parseInstant(observedAt)));
  const [first, ...others] = layers;
  return {
    eventId,
    revisionId: toRevisionId(observedAtMs, sequence),
    sequence,
    observedAtMs,
    publishedAtMs: toPublishedAtMs(event, nowMs),
    layers,
    bounds: unionBounds(first.bounds, ...others.map(({ bounds }) => bounds)),
  };
}
