// Shows one pane of a view: its event, revision, layers, camera and what it compares, and waits until they are drawn.
import { getProduct } from "../../../shared/products/registry.ts";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { ViewedPane } from "../../../shared/views/citable-view.ts";
import type { LayerPreference } from "../slices/layers-slice.ts";
import { knownLayersOf, selectDrawn, selectWantedRevision, toLayerViews } from "../selectors.ts";
import { selectSwathPart, selectWantedSoFar } from "../so-far/so-far.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import { loopOrder } from "../timeline/loop.ts";
import { findRevision } from "../timeline/revisions.ts";
import { toScene } from "../to-scene.ts";

/** Returns true once everything that the pane asks for is read, or cannot be. */
export function isHistoryRead({ history, selectedEventId }: ViewerState, pane: ViewedPane): boolean {
  const { phase, all, isWhole } = history;
  if (selectedEventId !== pane.event.id || phase === "failed") return true;
  const { revision, comparing, soFar } = pane;
  if (phase !== "ready" || !revision) return phase === "ready";
  const oldest = Math.min(
    revision.sequence,
    comparing?.before.sequence ?? Infinity,
    soFar?.first ?? Infinity,
  );
  return isWhole || all[0] === undefined || all[0].sequence <= oldest;
}

/** Shows the pane as far as the history has it: a revision that is missing leaves the newest one on screen. */
export function showPane(store: ViewerStore, pane: ViewedPane): void {
  const { event, revision, camera, soFar } = pane;
  const state = store.getState();
  state.backToNow();
  state.setComparing(false);
  state.unpin();
  if (state.isSoFarOn) state.toggleSoFar();
  const frozenAt = findFrozen(state, pane);
  if (frozenAt !== undefined) state.setKnownAt(frozenAt);
  if (revision && findRevision(state.history.all, revision.sequence)) state.goTo(revision.sequence);
  else state.pinNewest();
  if (soFar) showSoFar(store, soFar);
  showComparing(store, pane);
  store.setState({
    layerPreferences: toPreferences(store.getState(), pane.layers),
    wantedCamera: camera && { eventId: event.id, ...camera },
  });
}

/**
 * Returns the sequence after which nothing is known. The largest values so far would take in what was published since,
 * so they are shown as known when the view was made.
 */
function findFrozen({ history }: ViewerState, { knownAt, soFar, latest }: ViewedPane): number | undefined {
  if (knownAt !== undefined || !soFar) return knownAt;
  return (history.all.at(-1)?.sequence ?? 0) > (latest ?? Infinity) ? latest : undefined;
}

function showSoFar(store: ViewerStore, { product, opacity, first }: NonNullable<ViewedPane["soFar"]>): void {
  const { history } = store.getState();
  const isWhole = loopOrder(history.revisions, "all", "observed")[0] === first;
  store.setState({
    ...{ soFarProduct: product, soFarOpacity: opacity },
    loop: isWhole ? "all" : { first, last: undefined },
  });
  store.getState().toggleSoFar();
}

function showComparing(store: ViewerStore, { revision, comparing }: ViewedPane): void {
  const state = store.getState();
  if (!comparing || !revision) return;
  const { before, layer, side, swipeAt, threshold } = comparing;
  const { revisions } = state.history;
  const hasBoth = [before, revision].every(({ sequence }) => findRevision(revisions, sequence));
  if (!hasBoth) return;
  state.compareWith(before.sequence);
  state.setComparedLayer(layer);
  state.setComparedSide(side);
  state.setSwipeAt(swipeAt);
  state.setChangeThreshold(layer, threshold);
}

type Preferences = ViewerState["layerPreferences"];

/** A threshold that the layers have by themselves is not made a choice of the person's. */
function toPreferences(state: ViewerState, layers: ViewedPane["layers"]): Preferences {
  const chosen: Partial<Record<ProductId, LayerPreference>> = {};
  for (const { id, visible, opacity } of layers) chosen[id] = { visible, opacity };
  const views = toLayerViews(knownLayersOf(state.history.revisions), selectWantedRevision(state), chosen);
  for (const { id, showFrom } of layers) {
    const own = views.find(({ layer }) => layer.id === id)?.showFrom;
    if (own !== showFrom) {
      chosen[id] = { ...chosen[id], showFrom: showFrom ?? getProduct(id).stops[0]!.from };
    }
  }
  return chosen;
}

/** Returns true if the picture wanted is on screen, all of it but what failed to load. */
export function isPaneDrawn(state: ViewerState): boolean {
  const scene = toScene(state);
  const drawn = selectDrawn(state);
  if (scene.sequence === undefined) return state.history.phase !== "loading";
  if (drawn?.sequence !== scene.sequence) return false;
  const isOnScreen = [
    ...scene.layers.map(
      ({ id, frame, visible }) =>
        !visible || !frame || drawn.layers.includes(id) || drawn.failed.includes(id),
    ),
    ...scene.overlays.map(
      ({ id, frame }) =>
        drawn.overlays[id] === frame.imageUrl || state.picture.frames[frame.imageUrl]?.status === "failed",
    ),
  ];
  const swath = selectWantedSoFar(state);
  const isSwathWhole = !swath || selectSwathPart(state) === swath.soFar.frames.length;
  return isOnScreen.every(Boolean) && isSwathWhole;
}
