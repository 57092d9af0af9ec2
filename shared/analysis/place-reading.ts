// Reads one place of a frame: the class of its cell, or the reason that it has none.
import type { Coordinate } from "../contract/primitives.ts";
import { isCovered } from "../frames/coverage-grid.ts";
import { readCell } from "../frames/index-grid.ts";
import { findCell } from "../geo/grid.ts";
import { cellCenter, toClassRange, type CellFrame, type ClassRange } from "./cell-frame.ts";

export type PlaceReading =
  | { readonly kind: "class"; readonly index: number; readonly range: ClassRange }
  /** Inside radar coverage: below the first class, or no echo. */
  | { readonly kind: "below" }
  | { readonly kind: "outside-coverage" };

/** Reads the cell that holds a point; a point on an edge belongs to the cell south or east of it. */
export function readPlace(frame: CellFrame, [longitudeDeg, latitudeDeg]: Coordinate): PlaceReading {
  const { cells, block, grid, pixelRows, classes, coverage } = frame;
  const cell = cells && findCell(cells, longitudeDeg, latitudeDeg);
  if (!cells || !cell) return toNothing(isCovered(coverage, longitudeDeg, latitudeDeg));
  const { row, column } = cell;
  const isDrawn =
    row >= block.rowStart && row < block.rowEnd && column >= block.columnStart && column < block.columnEnd;
  const index = isDrawn ? readCell(grid, pixelRows[row - block.rowStart]!, column - block.columnStart) : 0;
  const range = toClassRange(classes, index);
  if (range) return { kind: "class", index, range };
  return toNothing(isCovered(coverage, ...cellCenter(cells, row, column)));
}

function toNothing(covered: boolean): PlaceReading {
  return { kind: covered ? "below" : "outside-coverage" };
}
