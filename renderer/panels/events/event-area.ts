// The area of an event's echo, and how to show all of it: the strips over the edges of the map must not hide the storm.
import type { Bounds } from "../../../shared/contract/index.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { latitudeOfY, mercatorY } from "../../../shared/geo/mercator.ts";
import type { StormMap } from "../../map/storm-map.ts";
import {
  knownLayersOf,
  selectSelectedEvent,
  selectWantedRevision,
  toLayerViews,
} from "../../state/selectors.ts";
import type { ViewerState } from "../../state/store.ts";
import { visibleFrames } from "../../state/to-scene.ts";
import type { Viewer } from "../../viewer-context.ts";

/** Margin that the map keeps on every side, in CSS pixels. */
const mapPaddingPx = 24;
/** Further height of the truth strip with a row of notes, and of the credits. */
const topPx = 72;
const bottomPx = 24;

/** Extends the bounds to the north and south, so that a map of this height shows all of them between its strips. */
export function withRoom(bounds: Bounds, heightPx: number): Bounds {
  const [west, south, east, north] = bounds;
  const usablePx = heightPx - 2 * mapPaddingPx - topPx - bottomPx;
  // A map this low has no room to spare.
  if (usablePx < topPx + bottomPx) return bounds;
  const topY = mercatorY(north);
  const bottomY = mercatorY(south);
  const perPx = (bottomY - topY) / usablePx;
  return [west, latitudeOfY(bottomY + bottomPx * perPx), east, latitudeOfY(topY - topPx * perPx)];
}

/**
 * Returns the bounds of the echo in the frames that the map has loaded. Before that, and without echo, those of the
 * event, or of the picture wanted: they reach to the edges of the grid if one of its frames is empty.
 */
export function findEventBounds(state: ViewerState, map: StormMap | undefined): Bounds | undefined {
  const { revisions } = state.history;
  const views = toLayerViews(knownLayersOf(revisions), selectWantedRevision(state), state.layerPreferences);
  const visible = new Set(views.filter((view) => view.visible).map((view) => view.layer.id));
  const echo = map?.findEchoBounds(revisions.flatMap((revision) => visibleFrames(revision, visible)));
  if (echo) return echo;
  const own = selectSelectedEvent(state)?.bounds;
  if (own) return own;
  const [first, ...others] = selectWantedRevision(state)?.layers.map((layer) => layer.bounds) ?? [];
  return first && unionBounds(first, ...others);
}

/** Shows the whole event, if it has data. */
export function showWholeEvent({ store, map }: Viewer): void {
  const bounds = findEventBounds(store.getState(), map.find());
  if (bounds) map.find()?.fitBounds(withRoom(bounds, map.sizePx().heightPx));
}
