// Turns the viewer's state into the scene for the map, including the frames to prefetch: those that playback shows
// next, or those around a resting playhead. Pure.
import type { ProductId } from "../../shared/contract/index.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { Scene, SceneLayer } from "../map/scene.ts";
import { compareLayers, selectComparison } from "./change/change-scene.ts";
import type { Revision } from "./timeline/revisions.ts";
import { knownLayersOf, selectWantedRevision, memoizeSelector, toLayerViews } from "./selectors.ts";
import {
  selectDrawnSoFar,
  selectSoFar,
  selectSoFarAhead,
  selectSwathPart,
  toSoFarOverlays,
} from "./so-far/so-far.ts";
import type { ViewerState } from "./store.ts";
import { wantedSoon } from "./timeline/wanted-soon.ts";

export function toScene(state: ViewerState): Scene {
  const { revisions } = state.history;
  const wanted = selectWantedRevision(state);
  const views = toLayerViews(knownLayersOf(revisions), wanted, state.layerPreferences);
  const overlays = toSoFarOverlays(state);
  const layers = views.map(({ layer, delivered, visible, opacity, isOwn, showFrom }): SceneLayer => ({
    id: layer.id,
    frame: delivered ? { imageUrl: layer.imageUrl, bounds: layer.bounds } : undefined,
    visible,
    opacity,
    // The legend of another service has its colors, so its frames keep them.
    coloring: isOwn
      ? {
          palette: state.palette,
          ownTables: state.ownTables,
          theme: state.theme,
          showFrom,
          isEdged: overlays.length > 0 && layer.id === state.soFarProduct,
        }
      : { palette: "published", theme: state.theme, showFrom: undefined },
  }));
  const comparison = selectComparison(state);
  const visible = new Set(views.filter((view) => view.visible).map((view) => view.layer.id));
  const soon = wanted ? wantedSoon(state, wanted).map((revision) => visibleFrames(revision, visible)) : [];
  // Those ahead would be made before the first one is whole.
  const swaths = selectDrawnSoFar(state) ? selectSoFarAhead(state) : [];
  return {
    eventId: state.selectedEventId,
    sequence: wanted?.sequence,
    ...(comparison ? compareLayers(layers, comparison) : { layers, overlays, swipe: undefined }),
    prefetch: [
      ...state.warmFrames,
      ...soon.flatMap((frames, step) => [
        ...frames,
        ...(swaths[step]?.picture ? [swaths[step].picture] : []),
      ]),
    ],
  };
}

/** Returns the frames of a revision that are drawn when it is shown. */
export function visibleFrames(revision: Revision, visible: ReadonlySet<ProductId>): FrameRef[] {
  return revision.layers
    .filter((layer) => visible.has(layer.id))
    .map((layer) => ({ imageUrl: layer.imageUrl, bounds: layer.bounds }));
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
      state.ownTables,
      state.theme,
      state.loop,
      state.playOrder,
      selectComparison(state),
      selectSoFar(state),
      state.isSoFarOn,
      state.soFarProduct,
      state.soFarOpacity,
      selectSwathPart(state),
      selectDrawnSoFar(state) !== undefined,
      state.lockedSoon,
      state.warmFrames,
    ],
    toScene,
  );
}
