// Where a point is, as people say it: so many kilometres in which direction from a place that the map names.
import type { Coordinate } from "../../shared/contract/index.ts";

export interface NamedPlace {
  readonly name: string;
  readonly coordinate: Coordinate;
  /** The lowest zoom at which the map names it. */
  readonly zoom: number;
}

export interface NearestPlace {
  readonly name: string;
  readonly distanceKm: number;
  /** From the place to the point, one of eight. */
  readonly direction: string;
}

const kmPerDegree = 111.195;
const directions = ["E", "NE", "N", "NW", "W", "SW", "S", "SE"] as const;
/** Farther away, a place says nothing about a point. */
const farthestKm = 300;
/** Nearer, the point is in or at the place. */
const atKm = 2;

/**
 * The nearest of the places that the map names at this zoom. Distances are those of a flat map of the neighbourhood, right
 * to a percent over the distances that matter here.
 */
export function findNearestPlace(
  places: readonly NamedPlace[],
  [longitudeDeg, latitudeDeg]: Coordinate,
  zoom: number,
): NearestPlace | undefined {
  const kmPerLongitude = kmPerDegree * Math.cos((latitudeDeg * Math.PI) / 180);
  let best: { place: NamedPlace; eastKm: number; northKm: number } | undefined;
  let bestKm = farthestKm;
  for (const place of places) {
    if (place.zoom > zoom) continue;
    const eastKm = (longitudeDeg - place.coordinate[0]) * kmPerLongitude;
    const northKm = (latitudeDeg - place.coordinate[1]) * kmPerDegree;
    const distanceKm = Math.hypot(eastKm, northKm);
    if (distanceKm >= bestKm) continue;
    bestKm = distanceKm;
    best = { place, eastKm, northKm };
  }
  if (!best) return undefined;
  const eighth = Math.round(Math.atan2(best.northKm, best.eastKm) / (Math.PI / 4));
  return { name: best.place.name, distanceKm: bestKm, direction: directions[(eighth + 8) % 8]! };
}

/** `22 km S of Fort Dodge`, or `at Fort Dodge`. */
export function placeWords({ name, distanceKm, direction }: NearestPlace): string {
  return distanceKm < atKm ? `at ${name}` : `${Math.round(distanceKm)} km ${direction} of ${name}`;
}
