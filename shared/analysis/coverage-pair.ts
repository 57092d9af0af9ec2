// Radar coverage of two frames by the cells of their grid: a cell is covered if its center is.
import { coverageColumn, coverageRow, type CoverageGrid } from "../frames/coverage-grid.ts";
import type { LatLonGrid } from "../geo/grid.ts";
import { cellCenter } from "./cell-frame.ts";
import { endless } from "./row-runs.ts";

/** Bits of a run's value. */
export const coveredBefore = 1;
export const coveredAfter = 2;

/** One row as runs of equal coverage. Requires coverage of the same bounds and size. */
export class CoveragePair {
  /** The column after the last cell of each run; the last run never ends. */
  readonly ends: Int32Array;
  readonly values: Uint8Array;
  readonly #before: CoverageGrid;
  readonly #after: CoverageGrid;
  readonly #cells: LatLonGrid;
  /** The coverage columns from west to east, and for each the column after its last cell. */
  readonly #columns: Int32Array;
  readonly #columnEnds: Int32Array;
  #row: number | undefined;

  constructor(before: CoverageGrid, after: CoverageGrid, cells: LatLonGrid) {
    this.#before = before;
    this.#after = after;
    this.#cells = cells;
    const columns: number[] = [];
    const ends: number[] = [];
    for (let column = 0; column < cells.columns; column++) {
      const covering = coverageColumn(before, cellCenter(cells, 0, column)[0]);
      if (column === 0 || covering !== columns[columns.length - 1]) columns.push(covering);
      ends[columns.length - 1] = column + 1;
    }
    this.#columns = Int32Array.from(columns);
    this.#columnEnds = Int32Array.from(ends);
    this.ends = new Int32Array(columns.length);
    this.values = new Uint8Array(columns.length);
  }

  /** Goes to a row of cells. */
  seek(row: number): void {
    const covering = coverageRow(this.#before, cellCenter(this.#cells, row, 0)[1]);
    if (covering === this.#row) return;
    this.#row = covering;
    const { width, bits } = this.#before;
    const afterBits = this.#after.bits;
    const start = covering * width;
    let run = -1;
    for (let place = 0; place < this.#columns.length; place++) {
      const cell = start + this.#columns[place]!;
      const bit = covering < 0 || this.#columns[place]! < 0 ? 0 : 0x80 >> (cell & 7);
      const value =
        ((bits[cell >> 3]! & bit) === 0 ? 0 : coveredBefore) |
        ((afterBits[cell >> 3]! & bit) === 0 ? 0 : coveredAfter);
      if (run < 0 || value !== this.values[run]) run++;
      this.values[run] = value;
      this.ends[run] = this.#columnEnds[place]!;
    }
    this.ends[run] = endless;
  }
}
