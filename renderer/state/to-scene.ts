// Turns the viewer's state into the scene for the map, including the frames to prefetch: those that playback shows
// next, or those around a resting playhead. Pure.
import type { ProductId } from "../../shared/contract/index.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { Scene, SceneLayer } from "../map/scene.ts";
import { prefetchAhead, prefetchAround } from "../platform/viewer-limits.ts";
import { compareLayers, selectComparison } from "./change-scene.ts";
import { loopOrder, playOrderAfter } from "./loop.ts";
import { inPlayOrder, toPlace } from "./play-order.ts";
import { findRevision, type Revision } from "./revisions.ts";
import { knownLayersOf, selectWantedRevision, memoizeSelector, toLayerViews } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export function toScene(state: ViewerState): Scene {
  const { revisions } = state.history;
  const wanted = selectWantedRevision(state);
  const views = toLayerViews(knownLayersOf(revisions), wanted, state.layerPreferences);
  const layers = views.map(({ layer, delivered, visible, opacity, isOwn, showFrom }): SceneLayer => ({
    id: layer.id,
    frame: delivered ? { imageUrl: layer.imageUrl, bounds: layer.bounds } : undefined,
    visible,
    opacity,
    // The legend of another service has its colors, so its frames keep them.
    coloring: isOwn
      ? { palette: state.palette, theme: state.theme, showFrom }
      : { palette: "published", theme: state.theme, showFrom: undefined },
  }));
  const comparison = selectComparison(state);
  const visible = new Set(views.filter((view) => view.visible).map((view) => view.layer.id));
  return {
    eventId: state.selectedEventId,
    sequence: wanted?.sequence,
    ...(comparison ? compareLayers(layers, comparison) : { layers, overlays: [], swipe: undefined }),
    prefetch: wanted ? wantedSoon(state, wanted).flatMap((revision) => visibleFrames(revision, visible)) : [],
  };
}

/** Returns the frames of a revision that are drawn when it is shown. */
export function visibleFrames(revision: Revision, visible: ReadonlySet<ProductId>): FrameRef[] {
  return revision.layers
    .filter((layer) => visible.has(layer.id))
    .map((layer) => ({ imageUrl: layer.imageUrl, bounds: layer.bounds }));
}

function wantedSoon(state: ViewerState, wanted: Revision): Revision[] {
  const { revisions } = state.history;
  const place = toPlace(revisions, state.playOrder, wanted.sequence);
  if (state.playhead.mode === "held" && state.playhead.playing) {
    const order = loopOrder(revisions, state.loop, state.playOrder);
    const next = playOrderAfter(order, place ?? wanted.sequence).slice(0, prefetchAhead);
    return next.flatMap((sequence) => findRevision(revisions, sequence) ?? []);
  }
  const played = inPlayOrder(revisions, state.playOrder);
  const index = played.findIndex(({ sequence }) => sequence === place);
  const around: Revision[] = [];
  for (let distance = 1; distance <= prefetchAround; distance += 1) {
    const pair = [played[index + distance], played[index - distance]];
    around.push(...pair.filter((revision) => revision !== undefined));
  }
  return around;
}

/**
 * Creates a selector of the scene. Changes that the scene does not depend on, such as the clock, return the same
 * object.
 */
export function createSceneSelector(): (state: ViewerState) => Scene {
  return memoizeSelector(
    (state) => [
      state.selectedEventId,
      state.history.revisions,
      state.playhead.mode === "held" ? state.playhead.sequence : undefined,
      state.playhead.mode === "held" && state.playhead.playing,
      state.layerPreferences,
      state.palette,
      state.theme,
      state.loop,
      state.playOrder,
      selectComparison(state),
    ],
    toScene,
  );
}
