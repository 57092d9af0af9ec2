// Finds ZIP codes by their first digits, and names each by the nearest city.
import type { Coordinate } from "../../../../shared/contract/primitives.ts";
import { findNearestPlace, type PlacePoint } from "../../../../shared/geo/nearest-place.ts";
import type { GazetteerData } from "./gazetteer-data.ts";
import type { FoundPlace } from "./place-provider.ts";

const zipLength = 5;
/** `73072`; `730`, as fewer digits match thousands; or nine digits, whose last four are ignored. */
const zipQuery = /^\s*(\d{3,5})(?:-\d{4})?\s*$/;

/** Returns a search of at most `limit` ZIP codes by the digits of the query, ascending; none for another query. */
export function createZipSearch(data: GazetteerData): (query: string, limit: number) => FoundPlace[] {
  const { zips } = data;
  const cities = toNamedPoints(data);
  const toZipPlace = (at: number): FoundPlace => {
    const code = String(zips.code[at]!).padStart(zipLength, "0");
    const coordinate: Coordinate = [zips.longitudeE3[at]! / 1e3, zips.latitudeE3[at]! / 1e3];
    const nearest = findNearestPlace(cities, coordinate);
    return {
      id: `zip:${code}`,
      label: code,
      context: nearest ? `ZIP code near ${nearest.place.name}` : "ZIP code",
      coordinate,
      kind: "postal-code",
    };
  };
  return (query, limit) => {
    const digits = zipQuery.exec(query)?.[1];
    if (digits === undefined) return [];
    const scale = 10 ** (zipLength - digits.length);
    const first = findFirst(zips.code, Number(digits) * scale);
    const end = findFirst(zips.code, (Number(digits) + 1) * scale);
    return Array.from({ length: Math.min(limit, end - first) }, (_, index) => toZipPlace(first + index));
  };
}

/** Returns the index of the first code at or above `least` (binary search). */
function findFirst(codes: readonly number[], least: number): number {
  let low = 0;
  let high = codes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codes[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the cities with their states: `Norman, Oklahoma`. */
function toNamedPoints({ cities, states }: GazetteerData): PlacePoint[] {
  return cities.name.map((name, city) => ({
    name: `${name}, ${states[cities.state[city]!]!.label}`,
    longitude: cities.longitudeE5[city]! / 1e5,
    latitude: cities.latitudeE5[city]! / 1e5,
  }));
}
