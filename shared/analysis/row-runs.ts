// One row of a frame's cells as runs of equal class indices, in columns of the whole grid.
import type { CellFrame } from "./cell-frame.ts";

/** More columns than any grid has. */
export const endless = 0x3fff_ffff;

/** Beyond the picture, a row is one run of index 0; the last run never ends. */
export class RowRuns {
  /** The column after the last cell of each run. */
  readonly ends: Int32Array;
  readonly values: Uint8Array;
  readonly #frame: CellFrame;

  constructor(frame: CellFrame) {
    this.#frame = frame;
    const most = frame.grid.widthPx + 2;
    this.ends = new Int32Array(most);
    this.values = new Uint8Array(most);
  }

  /** Goes to a row of the whole grid. */
  seek(row: number): void {
    const { block, pixelRows } = this.#frame;
    let runs = 0;
    if (row >= block.rowStart && row < block.rowEnd) {
      if (block.columnStart > 0) this.ends[runs++] = block.columnStart;
      this.values[0] = 0;
      runs = this.#addRow(pixelRows[row - block.rowStart]!, runs);
    }
    this.ends[runs] = endless;
    this.values[runs] = 0;
  }

  /** Adds a row of pixels to the first `count` runs; returns their number. An index above all classes is none. */
  #addRow(pixelRow: number, count: number): number {
    const { grid, classes, block } = this.#frame;
    const { ends, values } = this;
    const most = classes.edges.length;
    let runs = count;
    if (grid.kind === "runs") {
      const last = grid.rowStarts[pixelRow + 1]!;
      for (let run = grid.rowStarts[pixelRow]!; run < last; run++, runs++) {
        const value = grid.values[run]!;
        ends[runs] = grid.ends[run]! + block.columnStart;
        values[runs] = value > most ? 0 : value;
      }
      return runs;
    }
    const start = pixelRow * grid.widthPx;
    for (let column = 0; column < grid.widthPx; column++) {
      const value = grid.indices[start + column]!;
      if (column > 0 && value !== grid.indices[start + column - 1]) runs++;
      ends[runs] = column + 1 + block.columnStart;
      values[runs] = value > most ? 0 : value;
    }
    return runs + 1;
  }
}
