// Converts the scanning order of GRIB2 (flag table 3.4) to ours: row by row from the north, each from the west.
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { ScanningMode } from "./grid-definition.ts";

/** The place in our order of one scanned line: a row, or a column with `columnsFirst`. */
export interface LinePlace {
  /** Index of its first cell, and the step to the next one. */
  readonly start: number;
  readonly step: number;
}

/** Returns the place of a scanned line, counted from 0. */
export function toLinePlace(line: number, grid: LatLonGrid, scanning: ScanningMode): LinePlace {
  const { columns, rows } = grid;
  const turned = scanning.alternating && line % 2 === 1;
  if (scanning.columnsFirst) {
    const column = scanning.eastToWest ? columns - 1 - line : line;
    const northward = scanning.southToNorth !== turned;
    return { start: column + (northward ? (rows - 1) * columns : 0), step: northward ? -columns : columns };
  }
  const row = scanning.southToNorth ? rows - 1 - line : line;
  const westward = scanning.eastToWest !== turned;
  return { start: row * columns + (westward ? columns - 1 : 0), step: westward ? -1 : 1 };
}
