// Where words stand on the map of a swath: at its contours, and at the storm of its last frame.
import type { Coordinate } from "../contract/primitives.ts";
import { findOutlined } from "../frames/outlines.ts";
import { cellCenter, type CellFrame } from "./cell-frame.ts";
import { RowRuns } from "./row-runs.ts";
import type { Swath } from "./swath.ts";

/** A contour, where one that goes west from the highest cell crosses it. */
export interface LineMark {
  /** Lower edge of the lowest class inside, in the layer's unit. */
  readonly lower: number;
  readonly coordinate: Coordinate;
}

/**
 * Returns a mark for each contour around the highest cell: of several such cells, the northernmost, then the
 * westernmost.
 * @param top the highest class index that a cell has; 0 if none has one
 */
export function toLineMarks({ cells, classes, highest }: Swath, top: number): LineMark[] {
  if (!cells || top === 0) return [];
  const peak = highest.indexOf(top);
  const row = Math.floor(peak / cells.columns);
  return findOutlined(classes, undefined)
    .filter((index) => index <= top)
    .map((index) => {
      let column = peak % cells.columns;
      while (column > 0 && highest[row * cells.columns + column - 1]! >= index) column--;
      return { lower: classes.edges[index - 1]!, coordinate: cellCenter(cells, row, column - 0.5) };
    });
}

/** Returns the southern end of the cells below the highest one of a frame; undefined if it draws nothing. */
export function findSouthEnd(frame: CellFrame): Coordinate | undefined {
  const { cells, block } = frame;
  if (!cells) return undefined;
  const runs = new RowRuns(frame);
  let peak = { value: 0, row: 0, column: 0 };
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    runs.seek(row);
    for (let run = 0, end = 0; end < block.columnEnd; run++) {
      end = runs.ends[run]!;
      if (runs.values[run]! > peak.value) peak = { value: runs.values[run]!, row, column: end - 1 };
    }
  }
  if (peak.value === 0) return undefined;
  let { row } = peak;
  while (row + 1 < block.rowEnd && classAt(runs, row + 1, peak.column) > 0) row++;
  return cellCenter(cells, row + 0.5, peak.column);
}

function classAt(runs: RowRuns, row: number, column: number): number {
  runs.seek(row);
  return runs.values[runs.ends.findIndex((end) => end > column)]!;
}
