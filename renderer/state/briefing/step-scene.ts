// The map's scene of a step, made of the step alone: its view names every frame with its place. For a small preview.
import type { ProductId } from "../../../shared/contract/index.ts";
import { toPath } from "../../../shared/contract/operations.ts";
import { paletteIds } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import {
  toOwnTables,
  type CitableView,
  type PinnedRevision,
  type ViewedPane,
} from "../../../shared/views/citable-view.ts";
import { groundParts, type GroundShown } from "../../basemap/ground-parts.ts";
import { toSwathRef, type FrameRef } from "../../frames/frame-ref.ts";
import type { Scene, SceneLayer } from "../../map/scene.ts";
import { kindOf, toThreshold } from "../change/change-pair.ts";
import { compareLayers, type ComparedFrames } from "../change/change-scene.ts";
import { toSoFarOverlay } from "../so-far/so-far.ts";

/**
 * Returns the scene of the leading pane, over the frames of its largest so far; undefined for a view that follows the
 * newest, which names no frames.
 */
export function toStepScene(view: CitableView, swath: readonly FrameRef[]): Scene | undefined {
  const pane = view.panes[view.active]!;
  const { event, revision, soFar, comparing } = pane;
  if (!revision) return undefined;
  const overlays =
    soFar && swath.length > 0
      ? [toSoFarOverlay(toSwathRef(swath), idsOf(pane.layers), { ...soFar, theme: view.theme })]
      : [];
  const layers = toStepLayers(view, revision, overlays.length > 0 ? soFar?.product : undefined);
  const compared = comparing && toCompared(event.id, revision, comparing);
  return {
    eventId: event.id,
    sequence: revision.sequence,
    ...(compared ? compareLayers(layers, compared) : { layers, overlays, swipe: undefined }),
    prefetch: [],
  };
}

function toStepLayers(
  view: CitableView,
  revision: PinnedRevision,
  edged: ProductId | undefined,
): SceneLayer[] {
  const { event, layers } = view.panes[view.active]!;
  const palette = paletteIds.find((id) => id === view.palette) ?? "published";
  const ownTables = toOwnTables(view);
  return layers.map(({ id, visible, opacity, showFrom }) => ({
    ...{ id, visible, opacity },
    frame: findFrame(event.id, revision, id),
    coloring: { palette, ownTables, theme: view.theme, showFrom, isEdged: id === edged },
  }));
}

/** Returns undefined if a revision lacks the layer. */
function toCompared(
  eventId: string,
  revision: PinnedRevision,
  { before, layer, side, swipeAt, threshold }: NonNullable<ViewedPane["comparing"]>,
): ComparedFrames | undefined {
  const layers = idsOf([...before.layers, ...revision.layers]).map((id) => {
    const pair = { before: findFrame(eventId, before, id), after: findFrame(eventId, revision, id) };
    return { id, ...pair, kind: kindOf(pair) };
  });
  const shown = layers.find(({ id }) => id === layer);
  if (!shown?.before || !shown.after) return undefined;
  return {
    layers,
    shown: { id: layer, before: shown.before, after: shown.after },
    swipe: { before: 1, swipe: swipeAt, after: 0 }[side],
    threshold: toThreshold({ changeThresholds: { [layer]: threshold } }, getProduct(layer)),
  };
}

function findFrame(eventId: string, { layers }: PinnedRevision, productId: ProductId): FrameRef | undefined {
  const pinned = layers.find(({ id }) => id === productId);
  if (!pinned) return undefined;
  const address = { eventId, productId, frameId: pinned.frame };
  return { imageUrl: toPath("getFrame", address), bounds: pinned.bounds };
}

function idsOf(layers: readonly { readonly id: ProductId }[]): ProductId[] {
  return [...new Set(layers.map(({ id }) => id))];
}

/** Returns the camera of a view on a map of another width: it shows the same area. */
export function toPreviewCamera(
  view: CitableView,
  widthPx: number,
  projectorWidthPx: number,
): { readonly center: [number, number]; readonly zoom: number } | undefined {
  const { camera } = view.panes[view.active]!;
  const paneWidthPx = view.panes.length > 1 ? projectorWidthPx / 2 : projectorWidthPx;
  return camera && { center: camera.center, zoom: camera.zoom + Math.log2(widthPx / paneWidthPx) };
}

export function toGround({ ground }: CitableView): GroundShown {
  return Object.fromEntries(groundParts.map((part) => [part, ground.includes(part)])) as GroundShown;
}
