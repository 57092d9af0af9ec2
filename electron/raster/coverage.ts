// Radar coverage of a whole grid on cells of 0.1 degrees: one bit each, 1 where at least half of the grid cells in it are covered.
import { deflateSync } from "node:zlib";
import type { FrameCoverage } from "../../shared/contract/frame-metadata.ts";
import type { LatLonGrid } from "../../shared/geo/grid.ts";

/** Counts covered grid cells, fed row by row. */
export interface CoverageCounter {
  readonly columnRanges: readonly Range[];
  readonly rowRanges: readonly Range[];
  /** For each row of coverage cells, how the number of covered grid cells changes from one grid column to the next. */
  readonly changes: Int32Array;
  /**
   * Counts one grid row. `turns` are the columns where coverage begins and ends, in turn, ascending; the first
   * `turnCount` of them count. A row begins outside coverage; one that ends inside has an odd count.
   */
  readonly addRow: (row: number, turns: Int32Array, turnCount: number) => void;
}

/** Edge of a coverage cell, in microdegrees. */
const CELL_UDEG = 100_000;

export function createCoverageCounter(grid: LatLonGrid): CoverageCounter {
  const columnRanges = toRanges(grid.columns, grid.spacingXUdeg);
  const rowRanges = toRanges(grid.rows, grid.spacingYUdeg);
  const targets = toTargets(grid.rows, rowRanges);
  const stride = grid.columns + 1;
  const changes = new Int32Array(rowRanges.length * stride);
  const addRow = (row: number, turns: Int32Array, turnCount: number): void => {
    for (const target of targets[row]!) {
      const base = target * stride;
      for (let turn = 0; turn < turnCount; turn++) changes[base + turns[turn]!]! += turn % 2 === 0 ? 1 : -1;
    }
  };
  return { columnRanges, rowRanges, changes, addRow };
}

/** The counts as bits, with the bounds of the coverage grid, ready to be written into a frame. */
export function toFrameCoverage(grid: LatLonGrid, counter: CoverageCounter): FrameCoverage {
  const { columnRanges, rowRanges, changes } = counter;
  const width = columnRanges.length;
  const height = rowRanges.length;
  const stride = grid.columns + 1;
  const bits = new Uint8Array(Math.ceil((width * height) / 8));
  const sums = new Float64Array(stride);
  for (let row = 0; row < height; row++) {
    sumUp(changes, row * stride, sums);
    setRowBits(bits, row * width, { sums, columnRanges, rowRange: rowRanges[row]! });
  }
  const bounds: FrameCoverage["bounds"] = [
    grid.westUdeg / 1e6,
    (grid.northUdeg - height * CELL_UDEG) / 1e6,
    (grid.westUdeg + width * CELL_UDEG) / 1e6,
    grid.northUdeg / 1e6,
  ];
  return { bounds, width, height, bits: deflateSync(bits, { level: 9 }).toString("base64") };
}

/** Grid cells along one axis, half open. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The grid cells whose centres lie in each coverage cell along one axis; where the grid is coarser than the coverage, and
 * none does, the grid cell that the coverage cell's centre lies in.
 */
function toRanges(cells: number, spacingUdeg: number): Range[] {
  const ranges: Range[] = [];
  // Centre of cell c is (c + 1/2) * spacing: the first one at or after the edge k * 0.1 degrees.
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

/** For each grid cell along an axis, the coverage cells that it counts for. */
function toTargets(cells: number, ranges: readonly Range[]): readonly (readonly number[])[] {
  const targets: number[][] = Array.from({ length: cells }, () => []);
  ranges.forEach(({ start, end }, index) => {
    for (let cell = start; cell < end; cell++) targets[cell]!.push(index);
  });
  return targets;
}

/** Entry c becomes the number of covered cells in all columns before c. */
function sumUp(changes: Int32Array, from: number, sums: Float64Array): void {
  let covered = 0;
  let sum = 0;
  for (let column = 0; column + 1 < sums.length; column++) {
    covered += changes[from + column]!;
    sum += covered;
    sums[column + 1] = sum;
  }
}

interface CoverageRow {
  readonly sums: Float64Array;
  readonly columnRanges: readonly Range[];
  readonly rowRange: Range;
}

function setRowBits(bits: Uint8Array, firstBit: number, { sums, columnRanges, rowRange }: CoverageRow): void {
  const rows = rowRange.end - rowRange.start;
  for (let column = 0; column < columnRanges.length; column++) {
    const { start, end } = columnRanges[column]!;
    const bit = firstBit + column;
    if (2 * (sums[end]! - sums[start]!) >= (end - start) * rows) bits[bit >>> 3]! |= 0x80 >> (bit & 7);
  }
}
