// What follows from the viewer's state. Pure; what is costly is remembered per list of revisions, which is replaced as a
// whole when it changes.
import type { MrmsLayer, ProductId, StormEvent } from "../../shared/contract/index.ts";
import { products } from "../../shared/products/registry.ts";
import { natureOf } from "../../shared/revisions/event-origin.ts";
import type { DrawnPicture } from "../map/scene.ts";
import type { LayerPreference } from "./slices/layers-slice.ts";
import { selectPinnedSequence, selectWantedSequence } from "./playhead.ts";
import { perList, pinnedIndexOf, type Revision } from "./revisions.ts";
import type { ViewerState } from "./store.ts";

export function selectSelectedEvent(state: ViewerState): StormEvent | undefined {
  return state.events.list.find((event) => event.id === state.selectedEventId);
}

/** What is on screen of the chosen event; undefined while nothing of it is. */
export function selectDrawn(state: ViewerState): DrawnPicture | undefined {
  const { drawn } = state.picture;
  return drawn?.eventId === state.selectedEventId ? drawn : undefined;
}

function findRevision(state: ViewerState, sequence: number | undefined): Revision | undefined {
  if (sequence === undefined) return undefined;
  return state.history.revisions.find((revision) => revision.sequence === sequence);
}

export function selectWantedRevision(state: ViewerState): Revision | undefined {
  return findRevision(state, selectWantedSequence(state));
}

/** The revision on screen; the wanted one while none is. What the screen says about the picture is said of this one. */
export function selectShownRevision(state: ViewerState): Revision | undefined {
  return findRevision(state, selectDrawn(state)?.sequence) ?? selectWantedRevision(state);
}

/** True while the wanted picture is on its way and another one, or none, is on screen. */
export function selectIsLoadingPicture(state: ViewerState): boolean {
  const wanted = selectWantedSequence(state);
  return wanted !== undefined && selectDrawn(state)?.sequence !== wanted;
}

/** How many revisions were published since the person stepped away from the newest. */
export function selectNewerCount(state: ViewerState): number {
  const { playhead, history } = state;
  if (playhead.mode === "pinned") return 0;
  return history.revisions.filter((revision) => revision.sequence > playhead.knownLatest).length;
}

/** True when the picture wanted is not the newest observation window at its highest sequence. */
export function selectIsPast(state: ViewerState): boolean {
  const wanted = selectWantedSequence(state);
  return wanted !== undefined && wanted !== selectPinnedSequence(state);
}

/** When the newest observation of the event was made, in milliseconds since the Unix epoch. */
export function selectNewestObservedMs(state: ViewerState): number | undefined {
  const index = pinnedIndexOf(state.history.revisions);
  return index === undefined ? undefined : state.history.revisions[index]?.observedMs;
}

/** The newest description of each layer that the event has ever had here, in drawing order. */
export const knownLayersOf = perList((revisions): readonly MrmsLayer[] => {
  const newest = new Map<ProductId, MrmsLayer>();
  for (const revision of revisions) {
    for (const layer of revision.layers) newest.set(layer.id, layer);
  }
  return products.flatMap((product) => newest.get(product.id) ?? []);
});

export interface LayerView {
  /** The revision's own layer, or the newest that the event has had where this revision has none. */
  readonly layer: MrmsLayer;
  readonly delivered: boolean;
  readonly visible: boolean;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Every layer of the event as it stands for one revision, in drawing order: the person's wishes over the manifest's. */
export function toLayerViews(
  known: readonly MrmsLayer[],
  revision: Revision | undefined,
  preferences: Readonly<Partial<Record<ProductId, LayerPreference>>>,
): LayerView[] {
  return known.map((newest) => {
    const own = revision?.layers.find((layer) => layer.id === newest.id);
    const layer = own ?? newest;
    return {
      layer,
      delivered: own !== undefined,
      visible: preferences[layer.id]?.visible ?? layer.visible,
      opacity: preferences[layer.id]?.opacity ?? layer.opacity,
    };
  });
}

/** True for an event whose newest picture should be minutes old: the age alarm is for these alone. */
export function isLiveEvent(event: StormEvent | undefined): boolean {
  return event?.status === "active" && natureOf(event) === "live";
}
