// Where a point lies, in words: so far from the nearest place that people know.
import type { MapPlace } from "./atlas/load-map.ts";

const earthRadiusKm = 6371.0088;
/** A place of this many people is named rather than a smaller one that is nearer. */
const knownPopulation = 5_000;
const knownWithinKm = 40;
const farthestKm = 200;
const atKm = 2.5;
const kmPerMile = 1.609344;
const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** `14 km (9 mi) north-east of Norman, OK`; undefined out at sea, far from everywhere. */
export function describeNearest(
  places: readonly MapPlace[],
  longitude: number,
  latitude: number,
): string | undefined {
  let nearest: { place: MapPlace; km: number } | undefined;
  let known: typeof nearest;
  for (const place of places) {
    // A degree of latitude is 111 km: what is farther away cannot win.
    if (Math.abs(place.latitude - latitude) > 2) continue;
    const km = distanceKm(place, longitude, latitude);
    if (km < (nearest?.km ?? farthestKm)) nearest = { place, km };
    const isKnown = place.population >= knownPopulation && km < (known?.km ?? knownWithinKm);
    if (isKnown) known = { place, km };
  }
  const found = known ?? nearest;
  if (!found) return undefined;
  const { place, km } = found;
  const name = `${place.name}, ${place.region}`;
  if (km < atKm) return `at ${name}`;
  const wind = winds[Math.round(bearingDeg(place, longitude, latitude) / 45) % 8]!;
  return `${Math.round(km)} km (${Math.round(km / kmPerMile)} mi) ${wind} of ${name}`;
}

/** `35.16° N, 97.62° W` */
export function toCoordinates(longitude: number, latitude: number): string {
  return `${toLatitude(latitude)}, ${toLongitude(longitude)}`;
}

export function toLatitude(degrees: number, digits = 2): string {
  return `${Math.abs(degrees).toFixed(digits)}° ${degrees < 0 ? "S" : "N"}`;
}

export function toLongitude(degrees: number, digits = 2): string {
  return `${Math.abs(degrees).toFixed(digits)}° ${degrees < 0 ? "W" : "E"}`;
}

/** Along the great circle. */
function distanceKm(from: MapPlace, longitude: number, latitude: number): number {
  const [a, b] = [toRad(from.latitude), toRad(latitude)];
  const half = Math.sin((b - a) / 2) ** 2;
  const across = Math.sin(toRad(longitude - from.longitude) / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(half + Math.cos(a) * Math.cos(b) * across));
}

/** 0 is north, 90 east. */
function bearingDeg(from: MapPlace, longitude: number, latitude: number): number {
  const [a, b, turn] = [toRad(from.latitude), toRad(latitude), toRad(longitude - from.longitude)];
  const y = Math.sin(turn) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn);
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
}

function toRad(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
