// The viewer's state as it would be with another revision, or none, on the map: what a sheet shows is derived from it
// by the same selectors as on screen. Pure.
import { createStore } from "zustand/vanilla";
import type { DrawnPicture, MapView, Scene } from "../../../map/scene.ts";
import type { FrameRef } from "../../../frames/frame-ref.ts";
import { toScene } from "../../../state/to-scene.ts";
import type { ViewerState } from "../../../state/store.ts";
import type { Viewer } from "../../../viewer-context.ts";

/** Puts the playhead on a revision, as if the person had stepped there. */
export function withSequence(state: ViewerState, sequence: number): ViewerState {
  const { playhead, history } = state;
  const latest = history.latestSequence ?? sequence;
  const before = playhead.mode === "held" ? playhead : { knownLatest: latest, movedAt: latest };
  const { knownLatest, movedAt } = before;
  return { ...state, playhead: { mode: "held", sequence, knownLatest, movedAt, playing: false } };
}

/** Puts a picture on the map, under nobody's pointer. */
export function withPicture(
  state: ViewerState,
  drawn: DrawnPicture | undefined,
  camera: Pick<MapView, "center" | "zoom"> | undefined,
): ViewerState {
  const view = state.view && camera ? { ...state.view, ...camera } : state.view;
  return { ...state, view, picture: { ...state.picture, drawn, probe: undefined, pin: undefined } };
}

/** Returns the scene of a state, without frames for later. */
export function toStillScene(state: ViewerState): Scene {
  return { ...toScene(state), prefetch: [] };
}

/** Returns the scene of the ground alone. */
export function toEmptyScene(state: ViewerState): Scene {
  return { ...toStillScene(state), sequence: undefined, layers: [], overlays: [] };
}

/** Returns the frames that a picture of the scene needs. */
export function framesOf({ layers, overlays }: Scene): FrameRef[] {
  const visible = layers.filter((layer) => layer.visible).flatMap(({ frame }) => frame ?? []);
  return [...visible, ...overlays.map(({ frame }) => frame)];
}

/** Returns the picture of a scene of which nothing has failed. */
export function toWholePicture({ eventId, sequence, layers, overlays }: Scene): DrawnPicture | undefined {
  if (eventId === undefined || sequence === undefined) return undefined;
  const shown = layers.filter(({ visible, frame }) => visible && frame !== undefined);
  return {
    eventId,
    sequence,
    layers: shown.map(({ id }) => id),
    failed: [],
    overlays: Object.fromEntries(overlays.map(({ id, frame }) => [id, frame.imageUrl])),
  };
}

/** Returns true if a picture is that of a scene, with all of its overlays. */
export function isPictureOf(
  { eventId, sequence, overlays }: Scene,
  drawn: DrawnPicture | undefined,
): boolean {
  if (sequence === undefined || !drawn) return sequence === drawn?.sequence;
  return (
    drawn.eventId === eventId &&
    drawn.sequence === sequence &&
    overlays.every(({ id, frame }) => drawn.overlays[id] === frame.imageUrl)
  );
}

/** Returns a viewer whose state is this one for good. */
export function freezeViewer(viewer: Viewer, state: ViewerState): Viewer {
  return { ...viewer, store: createStore<ViewerState>()(() => state) };
}
