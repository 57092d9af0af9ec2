// Points of a grid's lines as text in degrees, exact to the microdegree.
import type { LatLonGrid } from "../geo/grid.ts";

/** Returns `longitude,latitude` of a point by its column and row of the grid's lines. */
export type WritePoint = (column: number, row: number) => string;

/** Every number is written once: a large swath has millions of points on a few thousand lines. */
export function createPointWriter(cells: LatLonGrid): WritePoint {
  const longitudes: string[] = [];
  const latitudes: string[] = [];
  return (column, row) => {
    longitudes[column] ??= String((cells.westUdeg + column * cells.spacingXUdeg) / 1e6);
    latitudes[row] ??= String((cells.northUdeg - row * cells.spacingYUdeg) / 1e6);
    return `${longitudes[column]},${latitudes[row]}`;
  };
}
