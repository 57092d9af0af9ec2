// Describes a point by the nearest place, as forecasters do: "12 mi (19 km) NW of Moore".
import type { Coordinate } from "../contract/primitives.ts";
import { toDistanceWords, type DistanceUnit } from "./distance-words.ts";
import { bearingDeg, distanceKm } from "./sphere.ts";

export interface PlacePoint {
  readonly name: string;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
}

export interface NearestPlace<Place extends PlacePoint> {
  readonly place: Place;
  readonly distanceKm: number;
  /** Direction from the place to the point. */
  readonly direction: (typeof directions)[number];
}

const directions = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;
/** A place farther away does not describe a point. */
const farthestKm = 300;
/** A point closer than this is "at" the place. */
const atKm = 2;
/** A degree of latitude is never shorter than this. */
const leastKmPerDeg = 110;

export interface SearchOptions<Place> {
  readonly withinKm?: number;
  /** False leaves the place out. */
  readonly isCandidate?: (place: Place) => boolean;
}

/** Returns the nearest candidate within the distance, or undefined. */
export function findNearestPlace<Place extends PlacePoint>(
  places: readonly Place[],
  point: Coordinate,
  { withinKm = farthestKm, isCandidate = () => true }: SearchOptions<Place> = {},
): NearestPlace<Place> | undefined {
  let nearest: Place | undefined;
  let nearestKm = withinKm;
  for (const place of places) {
    if (Math.abs(place.latitude - point[1]) * leastKmPerDeg > nearestKm || !isCandidate(place)) continue;
    const km = distanceKm([place.longitude, place.latitude], point);
    if (km >= nearestKm) continue;
    nearestKm = km;
    nearest = place;
  }
  if (!nearest) return undefined;
  const bearing = bearingDeg([nearest.longitude, nearest.latitude], point);
  return { place: nearest, distanceKm: nearestKm, direction: directions[Math.round(bearing / 45) % 8]! };
}

/** Returns `12 mi (19 km) NW of Moore`, or `at Moore`. */
export function toPlaceWords(
  { place, distanceKm: km, direction }: NearestPlace<PlacePoint>,
  name = place.name,
  unit: DistanceUnit = "mi",
): string {
  if (km < atKm) return `at ${name}`;
  return `${toDistanceWords(km, unit)} ${direction} of ${name}`;
}
