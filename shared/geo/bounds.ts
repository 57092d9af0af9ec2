// Boxes of longitude and latitude, `[west, south, east, north]` in degrees, which never cross the antimeridian.
import type { Bounds } from "../contract/primitives.ts";

export function unionBounds(first: Bounds, ...others: readonly Bounds[]): Bounds {
  let [west, south, east, north] = first;
  for (const other of others) {
    west = Math.min(west, other[0]);
    south = Math.min(south, other[1]);
    east = Math.max(east, other[2]);
    north = Math.max(north, other[3]);
  }
  return [west, south, east, north];
}

export function boundsContain(bounds: Bounds, longitudeDeg: number, latitudeDeg: number): boolean {
  return (
    longitudeDeg >= bounds[0] &&
    longitudeDeg <= bounds[2] &&
    latitudeDeg >= bounds[1] &&
    latitudeDeg <= bounds[3]
  );
}
