// The towns in the fan of a storm's motion, in the order in which it gets there. Pure.
import type { Coordinate } from "../../../shared/contract/index.ts";
import { farthestMs, toArrival, type StormMotion } from "../../../shared/geo/storm-motion.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import type { NamedPlace } from "../hooks/named-places.ts";

const mostTowns = 8;
/** Towns that the map names closer in are offered too. */
const closerZooms = 1.5;
/** A degree of latitude is never shorter than this. */
const leastKmPerDeg = 110;

export function findTownsAhead(motion: StormMotion, places: readonly NamedPlace[], zoom: number): PlacePin[] {
  const reachKm = (motion.kmPerHour * farthestMs) / 3_600_000;
  return places
    .flatMap(({ name, longitude, latitude, zoom: from }) => {
      if (from > zoom + closerZooms) return [];
      if (Math.abs(latitude - motion.last.coordinate[1]) * leastKmPerDeg > reachKm) return [];
      const arrival = toArrival(motion, [longitude, latitude]);
      if (arrival.kind !== "window" || !arrival.isInFan) return [];
      const coordinate: Coordinate = [longitude, latitude];
      return [{ label: name, coordinate, fromMs: arrival.fromMs }];
    })
    .toSorted((left, right) => left.fromMs - right.fromMs)
    .slice(0, mostTowns)
    .map(({ label, coordinate }) => ({ label, coordinate }));
}
