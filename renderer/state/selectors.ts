// Derives facts for the screen from the viewer's state. Pure.
import type { MrmsLayer, ProductId, StormEvent } from "../../shared/contract/index.ts";
import { isLegendOf } from "../../shared/products/palettes.ts";
import { getProduct, products } from "../../shared/products/registry.ts";
import { natureOf } from "../../shared/revisions/event-origin.ts";
import type { DrawnPicture } from "../map/scene.ts";
import type { LayerPreference } from "./slices/layers-slice.ts";
import { selectPinnedSequence, selectWantedSequence } from "./timeline/playhead.ts";
import { findRevision, indexFrom, perList, pinnedIndexOf, type Revision } from "./timeline/revisions.ts";
import type { ViewerState } from "./store.ts";

export function selectSelectedEvent(state: ViewerState): StormEvent | undefined {
  return state.events.list.find((event) => event.id === state.selectedEventId);
}

/** Returns the picture on screen if it is the chosen event's. */
export function selectDrawn(state: ViewerState): DrawnPicture | undefined {
  const { drawn } = state.picture;
  return drawn?.eventId === state.selectedEventId ? drawn : undefined;
}

function findHeld(state: ViewerState, sequence: number | undefined): Revision | undefined {
  return sequence === undefined ? undefined : findRevision(state.history.all, sequence);
}

export function selectWantedRevision(state: ViewerState): Revision | undefined {
  return findHeld(state, selectWantedSequence(state));
}

/** Returns the revision on screen, or the wanted one if none is. The screen describes this one. */
export function selectShownRevision(state: ViewerState): Revision | undefined {
  return findHeld(state, selectDrawn(state)?.sequence) ?? selectWantedRevision(state);
}

/** Returns true while the wanted picture is loading and another one, or none, is on screen. */
export function selectIsLoadingPicture(state: ViewerState): boolean {
  const wanted = selectWantedSequence(state);
  return wanted !== undefined && selectDrawn(state)?.sequence !== wanted;
}

/** Counts the revisions published since the person stepped away from the newest. */
export function selectNewerCount(state: ViewerState): number {
  const { playhead, history } = state;
  if (playhead.mode === "pinned") return 0;
  const { revisions } = history;
  return revisions.length - indexFrom(revisions, playhead.knownLatest + 1);
}

/** Returns true if the wanted picture is not the newest observation window at its highest sequence, as known now. */
export function selectIsPast(state: ViewerState): boolean {
  const wanted = selectWantedSequence(state);
  if (state.knownAt !== undefined) return true;
  return wanted !== undefined && wanted !== selectPinnedSequence(state);
}

/** Returns the time of the event's newest observation, in milliseconds since the Unix epoch. */
export function selectNewestObservedMs(state: ViewerState): number | undefined {
  const { all } = state.history;
  const index = pinnedIndexOf(all);
  return index === undefined ? undefined : all[index]?.observedMs;
}

/** Returns the newest description of each layer among the event's revisions, in drawing order. */
export const knownLayersOf = perList((revisions): readonly MrmsLayer[] => {
  const newest = new Map<ProductId, MrmsLayer>();
  for (const revision of revisions) {
    for (const layer of revision.layers) newest.set(layer.id, layer);
  }
  return products.flatMap((product) => newest.get(product.id) ?? []);
});

export interface LayerView {
  /** The revision's own layer, or the event's newest one if this revision has none. */
  readonly layer: MrmsLayer;
  readonly delivered: boolean;
  readonly visible: boolean;
  /** 0 to 1. */
  readonly opacity: number;
  /** True if the legend is one of ours: its class edges are known, and it can be drawn in any palette. */
  readonly isOwn: boolean;
  /** Lower edge of the first class shown, in the product's unit; undefined shows all. */
  readonly showFrom: number | undefined;
  /** Reason why classes are hidden; undefined if none are. */
  readonly hiddenBy: "choice" | "both-layers" | undefined;
}

/**
 * Returns every layer of the event for one revision, in drawing order. The person's preferences override the
 * manifest.
 */
export function toLayerViews(
  known: readonly MrmsLayer[],
  revision: Revision | undefined,
  preferences: Readonly<Partial<Record<ProductId, LayerPreference>>>,
): LayerView[] {
  const views = known.map((newest) => {
    const own = revision?.layers.find((layer) => layer.id === newest.id);
    const layer = own ?? newest;
    return {
      layer,
      delivered: own !== undefined,
      visible: preferences[layer.id]?.visible ?? layer.visible,
      opacity: preferences[layer.id]?.opacity ?? layer.opacity,
      isOwn: isLegendOf(getProduct(layer.id), layer.legend),
    };
  });
  return views.map((view, index) => {
    const isOverAnother = views
      .slice(0, index)
      .some(({ delivered, visible, opacity }) => delivered && visible && opacity > 0);
    return { ...view, ...toHidden(view, preferences[view.layer.id]?.showFrom, isOverAnother) };
  });
}

/** The person's choice comes first; without one, a layer over another hides what would only cover it. */
function toHidden(
  { layer, isOwn }: Pick<LayerView, "layer" | "isOwn">,
  chosen: number | undefined,
  isOverAnother: boolean,
): Pick<LayerView, "showFrom" | "hiddenBy"> {
  const { stops, overlayFrom } = getProduct(layer.id);
  const showFrom = chosen ?? (isOverAnother ? overlayFrom : undefined);
  if (!isOwn || showFrom === undefined || showFrom <= stops[0]!.from) {
    return { showFrom: undefined, hiddenBy: undefined };
  }
  return { showFrom, hiddenBy: chosen === undefined ? "both-layers" : "choice" };
}

/** Returns true if the event's newest picture should be minutes old. The age alarm applies only to these. */
export function isLiveEvent(event: StormEvent | undefined): boolean {
  return event?.status === "active" && natureOf(event) === "live";
}

/** Like `memoizeSelector`, for a selector that several stores share: side by side, each pane has one. */
export function memoizePerStore<T>(
  inputsOf: (state: ViewerState) => readonly unknown[],
  compute: (state: ViewerState) => T,
): (state: ViewerState) => T {
  const selectors = new WeakMap<object, (state: ViewerState) => T>();
  return (state) => {
    // The actions of a store never change, so any of them identifies it.
    const store = state.chooseEvent;
    let select = selectors.get(store);
    if (!select) {
      select = memoizeSelector(inputsOf, compute);
      selectors.set(store, select);
    }
    return select(state);
  };
}

/**
 * Returns a selector that computes again only if one of its inputs has changed, and otherwise returns the same value.
 */
export function memoizeSelector<T>(
  inputsOf: (state: ViewerState) => readonly unknown[],
  compute: (state: ViewerState) => T,
): (state: ViewerState) => T {
  let known: { readonly inputs: readonly unknown[]; readonly value: T } | undefined;
  return (state) => {
    const inputs = inputsOf(state);
    if (!known || inputs.some((input, index) => input !== known?.inputs[index])) {
      known = { inputs, value: compute(state) };
    }
    return known.value;
  };
}
