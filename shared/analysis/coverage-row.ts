// Radar coverage by the cells of a frame's grid: a cell is covered if its center is.
import { coverageColumn, coverageRow, isCellCovered, type CoverageGrid } from "../frames/coverage-grid.ts";
import type { LatLonGrid } from "../geo/grid.ts";
import { cellCenter } from "./cell-frame.ts";

export class CoverageRow {
  readonly #coverage: CoverageGrid;
  readonly #cells: LatLonGrid;
  readonly #columns: Int32Array;
  #row = -1;

  constructor(coverage: CoverageGrid, cells: LatLonGrid) {
    this.#coverage = coverage;
    this.#cells = cells;
    this.#columns = Int32Array.from({ length: cells.columns }, (_, column) =>
      coverageColumn(coverage, cellCenter(cells, 0, column)[0]),
    );
  }

  /** Goes to a row of cells. */
  seek(row: number): void {
    this.#row = coverageRow(this.#coverage, cellCenter(this.#cells, row, 0)[1]);
  }

  isCovered(column: number): boolean {
    return isCellCovered(this.#coverage, this.#columns[column]!, this.#row);
  }
}
