// Keeps the maps of all panes together: same zoom, same place, one crosshair. The map that the person moves leads;
// otherwise that of the active pane. The middle of a map stays when the number of panes changes.
import type { Bounds } from "../../../shared/contract/index.ts";
import type { GuestPoint, MapPointer, MapView } from "../../map/scene.ts";
import { selectVisiblePanes, type PanesState } from "../../state/panes/pane-store.ts";
import { toPaneViewer, type Viewer } from "../../viewer-context.ts";

type Camera = Pick<MapView, "center" | "zoom">;

interface Kept {
  readonly view: Camera;
  /** Undefined if the map gets back the size that it had with this view. */
  readonly size: { readonly widthPx: number; readonly heightPx: number } | undefined;
}

/** Links the maps until the returned function is called. */
export function linkMaps(main: Viewer): () => void {
  const { store: panesStore } = main.panes;
  const followed = new Map<Viewer, () => void>();
  /** The view of each map before its size changed, and that size. */
  const kept = new Map<Viewer, Kept>();
  let singleView: Camera | undefined;
  /** The pane that the person points at. */
  let pointing: Viewer | undefined;
  let isLinking = false;

  const viewers = (state: PanesState = panesStore.getState()): Viewer[] =>
    selectVisiblePanes(state).map((pane) => toPaneViewer(main, pane));
  const findActive = (): Viewer =>
    viewers().find(({ letter }) => letter === panesStore.getState().active) ?? main;

  /** Moves the maps in `others` to what they share with one. */
  function move(from: Viewer, { center, zoom }: Camera, others: readonly Viewer[]): void {
    const { sameZoom, samePlace } = panesStore.getState();
    if (isLinking || (!sameZoom && !samePlace)) return;
    isLinking = true;
    for (const viewer of others) {
      if (viewer === from) continue;
      viewer.map.find()?.showView({ ...(samePlace && { center }), ...(sameZoom && { zoom }) });
    }
    isLinking = false;
  }

  function point(from: Viewer): void {
    const pointer = from.store.getState().picture.probe?.pointer;
    if (pointer?.isGuest) return;
    if (pointer) pointing = from;
    else if (pointing !== from) return;
    const { crosshairInAll } = panesStore.getState();
    for (const viewer of viewers()) {
      const guest = pointer && crosshairInAll && viewer !== from ? toGuest(pointer, from, viewer) : undefined;
      viewer.map.find()?.setGuest(guest);
    }
  }

  function follow(viewer: Viewer): () => void {
    const stops = [
      viewer.map.onMoved((camera, isByHand) => {
        if (isByHand || viewer.letter === panesStore.getState().active) move(viewer, camera, viewers());
      }),
      viewer.store.subscribe((state, previous) => {
        if (state.picture.probe !== previous.picture.probe) point(viewer);
        if (state.view === previous.view || isLinking) return;
        const before = kept.get(viewer);
        kept.delete(viewer);
        const { view } = findActive().store.getState();
        if (before) showAgain(viewer, before);
        else if (!previous.view && view) move(findActive(), view, [viewer]);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  function look(state: PanesState, previous: PanesState): void {
    const present = viewers(state);
    if (state.count !== previous.count) {
      kept.clear();
      for (const viewer of viewers(previous)) {
        const { view } = viewer.store.getState();
        if (view && present.includes(viewer)) kept.set(viewer, { view, size: viewer.map.sizePx() });
      }
      if (previous.count === 1) singleView = main.store.getState().view;
      if (state.count === 1 && singleView) kept.set(main, { view: singleView, size: undefined });
    }
    for (const [viewer, stop] of followed) {
      if (present.includes(viewer)) continue;
      stop();
      followed.delete(viewer);
    }
    if (state.count === 1) {
      for (const viewer of viewers(previous)) viewer.map.find()?.setGuest(undefined);
      for (const stop of followed.values()) stop();
      followed.clear();
      followed.set(main, follow(main));
      return;
    }
    for (const viewer of present) if (!followed.has(viewer)) followed.set(viewer, follow(viewer));
    const isJoined = (state.sameZoom && !previous.sameZoom) || (state.samePlace && !previous.samePlace);
    const active = findActive();
    const { view } = active.store.getState();
    if (isJoined && view) move(active, view, present);
    if (state.crosshairInAll !== previous.crosshairInAll && pointing) point(pointing);
  }

  const stop = panesStore.subscribe(look);
  return () => {
    stop();
    for (const end of followed.values()) end();
  };
}

/** Keeps the middle, and its surroundings as far as the longer side of the new size reaches. */
function showAgain(viewer: Viewer, { view: { center, zoom }, size }: Kept): void {
  const { widthPx, heightPx } = viewer.map.sizePx();
  const scale = size ? Math.max(widthPx / size.widthPx, heightPx / size.heightPx) : 1;
  viewer.map.find()?.showView({ center, zoom: zoom + Math.log2(scale) });
}

/** Returns the same place where both maps show one area, else the same spot. */
function toGuest(pointer: MapPointer, from: Viewer, to: Viewer): GuestPoint | undefined {
  const source = pointer.source === "crosshair" ? "crosshair" : "pointer";
  const own = from.store.getState().view;
  const other = to.store.getState().view;
  const size = from.map.sizePx();
  if (!own || !other || size.widthPx === 0) return undefined;
  const isOneArea = isInside(other.bounds, own.center) || isInside(own.bounds, other.center);
  return isOneArea
    ? { source, coordinate: pointer.coordinate }
    : { source, spot: [pointer.xPx / size.widthPx, pointer.yPx / size.heightPx] };
}

function isInside([west, south, east, north]: Bounds, [longitude, latitude]: MapView["center"]): boolean {
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}
