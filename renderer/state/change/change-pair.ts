// The two revisions whose difference is shown, and the layer: by default the wanted revision against the one that it
// replaced. Pure; sequence decides which one is before.
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { MrmsLayer, ProductId } from "../../../shared/contract/index.ts";
import { changeSteps } from "../../../shared/analysis/difference-picture.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import { newestOfWindow } from "../timeline/play-order.ts";
import { publicationsOf, type Revision } from "../timeline/revisions.ts";
import { knownLayersOf, memoizePerStore, selectWantedRevision, toLayerViews } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

export interface LayerPair {
  readonly id: ProductId;
  /** Undefined if it was not delivered. */
  readonly before: MrmsLayer | undefined;
  readonly after: MrmsLayer | undefined;
  readonly kind: "changed" | "unchanged" | "added" | "missing";
}

interface FramePair {
  readonly before: FrameRef | undefined;
  readonly after: FrameRef | undefined;
}

export interface ChangePair {
  readonly before: Revision;
  readonly after: Revision;
  /** False if the person chose revisions of two windows. */
  readonly isOneWindow: boolean;
  /** In drawing order. */
  readonly layers: readonly LayerPair[];
  /** The layer shown: the person's choice, else the first visible one that changed. */
  readonly shown: LayerPair;
}

/** Returns undefined if there is nothing to compare the wanted revision with. */
export const selectChangePair = memoizePerStore(
  (state) => [
    state.history.revisions,
    selectWantedRevision(state),
    state.chosenPair,
    state.comparedLayer,
    state.layerPreferences,
  ],
  (state): ChangePair | undefined => {
    const after = selectWantedRevision(state);
    const before = after && findBefore(state, after);
    if (!after || !before) return undefined;
    const layers = toLayerPairs(state, before, after);
    const shown = findShown(state, after, layers);
    return shown && { before, after, isOneWindow: isSameWindow(before, after), layers, shown };
  },
);

function findBefore(
  { history: { revisions }, chosenPair }: ViewerState,
  after: Revision,
): Revision | undefined {
  if (chosenPair?.after === after.sequence) {
    const chosen = revisions.find(({ sequence }) => sequence === chosenPair.before);
    if (chosen) return chosen;
  }
  return replacedBy(revisions, after);
}

/** Returns the revision of the same window that this one replaced or completed. */
export function replacedBy(revisions: readonly Revision[], after: Revision): Revision | undefined {
  const publication = publicationsOf(revisions)[revisions.indexOf(after)];
  return revisions[publication?.supersedes ?? -1];
}

function isSameWindow(first: Revision, second: Revision): boolean {
  return observationWindow(first.observedAt) === observationWindow(second.observedAt);
}

function toLayerPairs({ history }: ViewerState, before: Revision, after: Revision): LayerPair[] {
  const find = (revision: Revision, id: ProductId): MrmsLayer | undefined =>
    revision.layers.find((layer) => layer.id === id);
  return knownLayersOf(history.revisions).flatMap(({ id }) => {
    const pair = { before: find(before, id), after: find(after, id) };
    if (!pair.before && !pair.after) return [];
    return [{ id, ...pair, kind: kindOf(pair) }];
  });
}

/** Returns what happened to a layer's frame. */
export function kindOf({ before, after }: FramePair): LayerPair["kind"] {
  if (!before) return "added";
  if (!after) return "missing";
  return before.imageUrl === after.imageUrl ? "unchanged" : "changed";
}

function findShown(state: ViewerState, after: Revision, layers: readonly LayerPair[]): LayerPair | undefined {
  const views = toLayerViews(knownLayersOf(state.history.revisions), after, state.layerPreferences);
  const isVisible = ({ id }: LayerPair): boolean =>
    views.some(({ layer, visible }) => layer.id === id && visible);
  const changed = layers.filter(({ kind }) => kind === "changed");
  return (
    layers.find(({ id }) => id === state.comparedLayer) ??
    changed.find(isVisible) ??
    changed[0] ??
    layers.find(({ kind }) => kind !== "unchanged") ??
    layers.find(isVisible) ??
    layers[0]
  );
}

/** Returns the newest revision of the window of the pair, if it is later than both: it changes this window too. */
export function selectLaterVersion(state: ViewerState): Revision | undefined {
  const wanted = selectWantedRevision(state);
  const newest = wanted && newestOfWindow(state.history.revisions, wanted);
  return newest === wanted ? undefined : newest;
}

/** Returns the least change shown of a layer, in its unit; 0 shows all. */
export function toThreshold(
  { changeThresholds }: Pick<ViewerState, "changeThresholds">,
  { id, unit }: Pick<MrmsLayer, "id" | "unit">,
): number {
  return changeSteps[unit]?.[changeThresholds[id] ?? 0] ?? 0;
}

/** Returns the frame of a layer. */
export function toRef({ imageUrl, bounds }: FrameRef): FrameRef {
  return { imageUrl, bounds };
}
