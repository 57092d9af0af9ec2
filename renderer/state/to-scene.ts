// From the viewer's state to what the map should show: one whole scene, pure. Which frames are wanted soon is decided
// here too: what playback comes to next, or what lies around the picture that is looked at.
import type { ProductId } from "../../shared/contract/index.ts";
import type { FrameRef, Scene, SceneLayer } from "../map/scene.ts";
import { prefetchAhead, prefetchAround } from "../platform/viewer-limits.ts";
import { loopOrder, playOrderAfter } from "./loop.ts";
import type { Revision } from "./revisions.ts";
import { knownLayersOf, selectWantedRevision, toLayerViews } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export function toScene(state: ViewerState): Scene {
  const { revisions } = state.history;
  const wanted = selectWantedRevision(state);
  const views = toLayerViews(knownLayersOf(revisions), wanted, state.layerPreferences);
  const layers = views.map(({ layer, delivered, visible, opacity }): SceneLayer => ({
    id: layer.id,
    frame: delivered ? { imageUrl: layer.imageUrl, bounds: layer.bounds } : undefined,
    visible,
    opacity,
  }));
  const visible = new Set(views.filter((view) => view.visible).map((view) => view.layer.id));
  return {
    eventId: state.selectedEventId,
    sequence: wanted?.sequence,
    layers,
    palette: state.palette,
    prefetch: wanted ? wantedSoon(state, wanted).flatMap((revision) => visibleFrames(revision, visible)) : [],
  };
}

/** The frames of a revision that are drawn when it is shown. */
export function visibleFrames(revision: Revision, visible: ReadonlySet<ProductId>): FrameRef[] {
  return revision.layers
    .filter((layer) => visible.has(layer.id))
    .map((layer) => ({ imageUrl: layer.imageUrl, bounds: layer.bounds }));
}

function wantedSoon(state: ViewerState, wanted: Revision): Revision[] {
  const { revisions } = state.history;
  if (state.playhead.mode === "held" && state.playhead.playing) {
    const next = playOrderAfter(loopOrder(revisions, state.loop), wanted.sequence).slice(0, prefetchAhead);
    return next.flatMap((sequence) => revisions.find((revision) => revision.sequence === sequence) ?? []);
  }
  const index = revisions.indexOf(wanted);
  const around: Revision[] = [];
  for (let distance = 1; distance <= prefetchAround; distance += 1) {
    const pair = [revisions[index + distance], revisions[index - distance]];
    around.push(...pair.filter((revision) => revision !== undefined));
  }
  return around;
}

/**
 * A scene reader that answers with the same object as long as nothing that the scene depends on has changed, so that the
 * clock and the pointer never disturb the map.
 */
export function createSceneSelector(): (state: ViewerState) => Scene {
  let inputs: readonly unknown[] = [];
  let scene: Scene | undefined;
  return (state) => {
    const { playhead } = state;
    const next = [
      state.selectedEventId,
      state.history.revisions,
      playhead.mode === "held" ? playhead.sequence : undefined,
      playhead.mode === "held" && playhead.playing,
      state.layerPreferences,
      state.palette,
      state.loop,
    ];
    if (!scene || next.some((value, index) => value !== inputs[index])) {
      inputs = next;
      scene = toScene(state);
    }
    return scene;
  };
}
