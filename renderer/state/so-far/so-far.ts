// The largest values so far: the windows from the loop's start to the playhead, each at its newest known revision, and
// what is told of them. Pure.
import {
  mostSwathWindows,
  toLayerWindows,
  toSwathWindows,
  type StandingLayer,
} from "../../../shared/analysis/window-layers.ts";
import type { ProductId } from "../../../shared/contract/index.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { ViewedPane } from "../../../shared/views/citable-view.ts";
import type { MapTheme } from "../../basemap/ground-parts.ts";
import { toSwathRef, type FrameRef } from "../../frames/frame-ref.ts";
import type { SceneOverlay } from "../../map/scene.ts";
import { swathsAhead } from "../../platform/viewer-limits.ts";
import { toRef } from "../change/change-pair.ts";
import { loopOrder, type Loop } from "../timeline/loop.ts";
import { toRestingList } from "../timeline/playhead.ts";
import { findRevision, perList, publicationsOf, type Revision } from "../timeline/revisions.ts";
import { knownLayersOf, memoizePerStore, selectDrawn, selectWantedRevision } from "../selectors.ts";
import { toObservedAt, type MadeSoFar, type SoFar } from "./so-far-windows.ts";
import type { ViewerState } from "../store.ts";
import { wantedSoon } from "../timeline/wanted-soon.ts";

/** The id of the overlay in the scene. */
export const soFarOverlay = "so-far";

/** Returns undefined while it is off, without a playhead, or if the event does not have the layer. */
export const selectSoFar = memoizePerStore(soFarInputs, (state) => {
  const last = selectWantedRevision(state);
  return state.isSoFarOn && last ? toSoFar(state, last) : undefined;
});

/** Returns those of playback's next steps, or of the steps from a resting playhead; the most urgent first. */
export const selectSoFarAhead = memoizePerStore(
  (state) => [...soFarInputs(state), state.playOrder, isPlaying(state), state.lockedSoon],
  (state): (SoFar | undefined)[] => {
    const last = selectWantedRevision(state);
    if (!state.isSoFarOn || !last) return [];
    const steps = isPlaying(state) ? swathsAhead.playing : swathsAhead.resting;
    return wantedSoon(state, last)
      .slice(0, steps)
      .map((revision) => toSoFar(state, revision));
  },
);

function soFarInputs(state: ViewerState): unknown[] {
  return [
    state.isSoFarOn,
    state.soFarProduct,
    state.history.revisions,
    state.loop,
    state.knownAt,
    state.playhead,
    selectWantedRevision(state),
  ];
}

function isPlaying({ playhead }: ViewerState): boolean {
  return playhead.mode === "held" && playhead.playing;
}

/**
 * Returns the number of frames, from the first, that the wanted swath is drawn of: the first one grows on the map while
 * it is read, a later one replaces it whole.
 */
export function selectSwathPart(state: ViewerState): number {
  const wanted = selectWantedSoFar(state);
  if (!wanted) return 0;
  return selectDrawnSoFar(state) ? wanted.soFar.frames.length : wanted.grown;
}

/** Returns the swath as it is drawn: hail over reflectivity, and under the hail of now. */
export function toSoFarOverlays(state: ViewerState): SceneOverlay[] {
  const soFar = selectSoFar(state);
  const part = selectSwathPart(state);
  if (!soFar?.picture || part === 0) return [];
  const frame = part < soFar.frames.length ? toSwathRef(soFar.frames.slice(0, part)) : soFar.picture;
  const layers = knownLayersOf(state.history.revisions).map(({ id }) => id);
  return [toSoFarOverlay(frame, layers, { ...soFar, opacity: state.soFarOpacity, theme: state.theme })];
}

interface SoFarLook extends Pick<SoFar, "product"> {
  readonly opacity: number;
  readonly theme: MapTheme;
}

/** Returns a swath under the layer that it is made of. */
export function toSoFarOverlay(
  frame: FrameRef,
  layers: readonly ProductId[],
  { product, opacity, theme }: SoFarLook,
): SceneOverlay {
  return {
    ...{ id: soFarOverlay, frame, opacity },
    coloring: { palette: "so-far", theme, showFrom: undefined },
    over: layers[layers.indexOf(product) - 1],
    side: undefined,
    stays: true,
  };
}

/** Returns the frames of the swath that a pane of a view names, as far as the revisions are held. */
export function findViewedSwath(
  revisions: readonly Revision[],
  { soFar, revision, knownAt, latest }: ViewedPane,
): FrameRef[] {
  const first = soFar && findRevision(revisions, soFar.first);
  if (!first || !revision) return [];
  const known = revisions.filter(({ sequence }) => sequence <= (knownAt ?? latest ?? Infinity));
  const last = observationWindow(revision.observedAt);
  const windows = knownWindows[soFar.product](known).filter(
    ({ window }) => window >= Math.min(first.window, last) && window <= last,
  );
  return toSwathFrames(toSwathWindows(windows));
}

/** The known windows of the event, for each layer. */
const knownWindows: Readonly<
  Record<ProductId, (revisions: readonly Revision[]) => readonly StandingLayer<Revision>[]>
> = {
  "mrms-mesh": perList((revisions) => toLayerWindows(revisions, "mrms-mesh")),
  "mrms-reflectivity": perList((revisions) => toLayerWindows(revisions, "mrms-reflectivity")),
};

/** Returns true if the loop's start and the playhead lie too far apart for a swath. */
export function selectIsSoFarTooLong(state: ViewerState): boolean {
  const last = selectWantedRevision(state);
  const span = last && toSpan(state, last);
  return span !== undefined && span.last - span.first >= mostSwathWindows;
}

interface WindowSpan {
  readonly first: number;
  readonly last: number;
}

/** Returns the windows from the loop's start to that of `last`. A playhead before the loop has only its own window. */
function toSpan(state: ViewerState, { window }: Revision): WindowSpan | undefined {
  const first = findLoopStart(toRestingList(state), state.loop);
  return first && { first: Math.min(first.window, window), last: window };
}

/** Returns the swath up to the window of `last`; undefined if the event does not have the layer, or it is too long. */
export function toSoFar(state: ViewerState, last: Revision): SoFar | undefined {
  const { revisions } = state.history;
  const product = state.soFarProduct;
  const span = toSpan(state, last);
  if (!span || span.last - span.first >= mostSwathWindows) return undefined;
  if (!knownLayersOf(revisions).some(({ id }) => id === product)) return undefined;
  const windows = toSwathWindows(
    knownWindows[product](revisions).filter(({ window }) => window >= span.first && window <= span.last),
  );
  const frames = toSwathFrames(windows);
  return {
    product,
    fromMs: Date.parse(toObservedAt(windows[0]!)),
    toMs: Date.parse(toObservedAt(windows.at(-1)!)),
    laterStartMs: findLaterStartMs(state),
    windows,
    frames,
    picture: frames.length > 0 ? toSwathRef(frames) : undefined,
    knownAt: state.knownAt,
  };
}

function toSwathFrames(windows: SoFar["windows"]): FrameRef[] {
  return windows.flatMap((window) => ("layer" in window ? [toRef(window.layer)] : []));
}

function findLoopStart(revisions: readonly Revision[], loop: Loop): Revision | undefined {
  const sequence = loopOrder(revisions, loop, "observed")[0];
  return sequence === undefined ? undefined : findRevision(revisions, sequence);
}

function findLaterStartMs(state: ViewerState): number | undefined {
  const held = findLoopStart(toRestingList(state), state.loop);
  const present = findLoopStart(state.history.revisions, state.loop);
  return held && present && present.window > held.window ? present.observedMs : undefined;
}

/** Returns the swath on screen; undefined if none is. */
export function selectDrawnSoFar(state: ViewerState): MadeSoFar | undefined {
  const key = selectDrawn(state)?.overlays[soFarOverlay];
  if (!state.isSoFarOn || key === undefined) return undefined;
  // Windows without a frame at the end change the list, and not the picture.
  const wanted = selectWantedSoFar(state);
  return wanted?.soFar.picture?.imageUrl === key ? wanted : state.soFarMade[key];
}

/** Returns the wanted swath; undefined if it is off or nothing of it was published. */
export function selectWantedSoFar(state: ViewerState): MadeSoFar | undefined {
  const wanted = selectSoFar(state);
  if (!wanted) return undefined;
  const made = wanted.picture && state.soFarMade[wanted.picture.imageUrl];
  return { read: 0, grown: 0, facts: undefined, ...made, soFar: wanted };
}

/** Returns the revisions that changed the frame of a window of the swath since the person looked at it. */
export function selectSoFarArrivals(state: ViewerState): Revision[] {
  const soFar = selectSoFar(state);
  if (!soFar) return [];
  const { revisions } = state.history;
  const publications = publicationsOf(revisions);
  const seen = state.soFarSeen ?? Infinity;
  const parts = new Set(
    soFar.windows.flatMap((window) => ("layer" in window ? [window.since.sequence] : [])),
  );
  return revisions.filter(
    ({ sequence }, index) => sequence > seen && parts.has(sequence) && publications[index]!.kind !== "new",
  );
}
