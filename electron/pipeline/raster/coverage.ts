// Radar coverage of a whole grid in cells of 0.1 degrees: one bit each, 1 if at least half of its grid cells are
// covered.
import { deflateSync } from "node:zlib";
import type { FrameCoverage } from "../../../shared/contract/frame-metadata.ts";
import { setCovered } from "../../../shared/frames/coverage-grid.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";

/** Counts covered grid cells, fed row by row. */
export interface CoverageCounter {
  readonly columnRanges: readonly Range[];
  readonly rowRanges: readonly Range[];
  /**
   * columnRanges.length + 1 entries for each row of coverage cells. `changes` is the rise in the number of fully
   * covered grid rows from one coverage column to the next; `extra` counts the covered grid cells in addition to
   * these.
   */
  readonly changes: Int32Array;
  readonly extra: Int32Array;
  /**
   * Counts one grid row. The first `turnCount` of `turns` are the columns where coverage begins and ends, alternating
   * and ascending. A row begins outside coverage; one that ends inside has an odd count.
   */
  readonly addRow: (row: number, turns: Int32Array, turnCount: number) => void;
}

/** The side of a coverage cell, in microdegrees. */
const CELL_UDEG = 100_000;

export function createCoverageCounter(grid: LatLonGrid): CoverageCounter {
  const columnRanges = toRanges(grid.columns, grid.spacingXUdeg);
  const rowRanges = toRanges(grid.rows, grid.spacingYUdeg);
  const targets = toTargets(grid.rows, rowRanges);
  const stride = columnRanges.length + 1;
  const changes = new Int32Array(rowRanges.length * stride);
  const extra = new Int32Array(rowRanges.length * stride);
  const firstEndingAfter = toFirstEndingAfter(grid.columns, columnRanges);
  const addRow = (row: number, turns: Int32Array, turnCount: number): void => {
    for (const target of targets[row]!) {
      for (let turn = 0; turn < turnCount; turn++) {
        const column = turns[turn]!;
        const sign = turn % 2 === 0 ? 1 : -1;
        const range = firstEndingAfter[column]!;
        const { start, end } = columnRanges[range]!;
        const at = target * stride + range;
        if (start < column) extra[at]! += sign * (end - column);
        changes[start < column ? at + 1 : at]! += sign;
      }
    }
  };
  return { columnRanges, rowRanges, changes, extra, addRow };
}

/** Returns the counts as bits with the bounds of the coverage grid, ready for a frame. */
export function toFrameCoverage(grid: LatLonGrid, counter: CoverageCounter): FrameCoverage {
  const width = counter.columnRanges.length;
  const height = counter.rowRanges.length;
  const bounds: FrameCoverage["bounds"] = [
    grid.westUdeg / 1e6,
    (grid.northUdeg - height * CELL_UDEG) / 1e6,
    (grid.westUdeg + width * CELL_UDEG) / 1e6,
    grid.northUdeg / 1e6,
  ];
  return { bounds, width, height, bits: deflateSync(toBits(counter), { level: 9 }).toString("base64") };
}

/** Returns one bit for each coverage cell, row-major, most significant bit first: 1 if at least half is covered. */
function toBits({ columnRanges, rowRanges, changes, extra }: CoverageCounter): Uint8Array {
  const width = columnRanges.length;
  const bits = new Uint8Array(Math.ceil((width * rowRanges.length) / 8));
  for (let row = 0; row < rowRanges.length; row++) {
    const gridRows = rowRanges[row]!.end - rowRanges[row]!.start;
    let coveredRows = 0;
    for (let column = 0; column < width; column++) {
      const { start, end } = columnRanges[column]!;
      const at = row * (width + 1) + column;
      coveredRows += changes[at]!;
      const covered = coveredRows * (end - start) + extra[at]!;
      if (2 * covered >= gridRows * (end - start)) setCovered(bits, row * width + column);
    }
  }
  return bits;
}

/** Grid cells along one axis, half open. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the grid cells whose centers are in each coverage cell along one axis. On a grid coarser than the coverage,
 * where none is, returns the grid cell under the center of the coverage cell.
 */
function toRanges(cells: number, spacingUdeg: number): Range[] {
  const ranges: Range[] = [];
  // The center of cell c is (c + 1/2) * spacing.
  const firstCellFrom = (edgeUdeg: number): number =>
    Math.min(cells, Math.ceil(edgeUdeg / spacingUdeg - 0.5));
  const count = Math.ceil((cells * spacingUdeg) / CELL_UDEG);
  for (let index = 0; index < count; index++) {
    const start = firstCellFrom(index * CELL_UDEG);
    const end = firstCellFrom((index + 1) * CELL_UDEG);
    const under = Math.min(cells - 1, Math.floor(((index + 0.5) * CELL_UDEG) / spacingUdeg));
    ranges.push(start < end ? { start, end } : { start: under, end: under + 1 });
  }
  return ranges;
}

/** Returns, for each grid cell along an axis, the coverage cells that it counts for. */
function toTargets(cells: number, ranges: readonly Range[]): readonly (readonly number[])[] {
  const targets: number[][] = Array.from({ length: cells }, () => []);
  ranges.forEach(({ start, end }, index) => {
    for (let cell = start; cell < end; cell++) targets[cell]!.push(index);
  });
  return targets;
}

/** Returns, for each grid column, the first coverage column whose range ends after it. */
function toFirstEndingAfter(cells: number, ranges: readonly Range[]): Int32Array {
  const first = new Int32Array(cells);
  let range = 0;
  for (let cell = 0; cell < cells; cell++) {
    while (range + 1 < ranges.length && ranges[range]!.end <= cell) range++;
    first[cell] = range;
  }
  return first;
}
