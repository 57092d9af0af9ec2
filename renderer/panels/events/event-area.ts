// Where an event is, and how to show all of it: the strips over the map's upper and lower edge must not hide the storm.
import type { Bounds } from "../../../shared/contract/index.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { latitudeOfY, mercatorY } from "../../../shared/geo/mercator.ts";
import { selectSelectedEvent, selectWantedRevision } from "../../state/selectors.ts";
import type { ViewerState } from "../../state/store.ts";
import type { Viewer } from "../../viewer-context.ts";

/** What the map leaves free on every side by itself, in CSS pixels. */
const mapPaddingPx = 24;
/** What the truth strip with a row of notes, and the credits, take beyond that. */
const topPx = 72;
const bottomPx = 24;

/**
 * `bounds` made taller, so that the map fitted to them shows all of `bounds` between the strips.
 * @param heightPx of the map
 */
export function withRoom(bounds: Bounds, heightPx: number): Bounds {
  const [west, south, east, north] = bounds;
  const usablePx = heightPx - 2 * mapPaddingPx - topPx - bottomPx;
  // A map so low has no room to give.
  if (usablePx < topPx + bottomPx) return bounds;
  const topY = mercatorY(north);
  const bottomY = mercatorY(south);
  const perPx = (bottomY - topY) / usablePx;
  return [west, latitudeOfY(bottomY + bottomPx * perPx), east, latitudeOfY(topY - topPx * perPx)];
}

/** The event's own bounds, else those of the picture that is wanted. */
export function findEventBounds(state: ViewerState): Bounds | undefined {
  const own = selectSelectedEvent(state)?.bounds;
  if (own) return own;
  const [first, ...others] = selectWantedRevision(state)?.layers.map((layer) => layer.bounds) ?? [];
  return first && unionBounds(first, ...others);
}

/** Brings the whole event into view, where there is one with data. */
export function showWholeEvent({ store, map }: Viewer): void {
  const bounds = findEventBounds(store.getState());
  if (bounds) map.find()?.fitBounds(withRoom(bounds, map.heightPx()));
}
