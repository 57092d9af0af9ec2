// Walks one row of a frame's cells as runs of equal class indices, in columns of the whole grid.
import type { CellFrame } from "./cell-frame.ts";

/** More columns than any grid has. A whole number, which processors compare faster than Infinity. */
const endless = 0x3fff_ffff;

/** Beyond the picture, a row is one run of index 0 without end. */
export class RowCursor {
  /** The class index of the run. */
  value = 0;
  /** The column after the run's last cell. */
  end = endless;
  readonly #frame: CellFrame;
  /** Number of classes: a higher index is none. */
  readonly #classes: number;
  #ends: Uint16Array;
  #values: Uint8Array;
  #run = 0;
  #runEnd = 0;

  constructor(frame: CellFrame) {
    this.#frame = frame;
    this.#classes = frame.classes.edges.length;
    const { grid } = frame;
    // Rows of plain bytes are packed one at a time.
    this.#ends = grid.kind === "runs" ? grid.ends : new Uint16Array(0);
    this.#values = grid.kind === "runs" ? grid.values : new Uint8Array(0);
    if (grid.kind === "raw" && frame.cells) {
      this.#ends = new Uint16Array(grid.widthPx);
      this.#values = new Uint8Array(grid.widthPx);
    }
  }

  /** Goes to the first run of a row of the whole grid. */
  seek(row: number): void {
    const { block, grid, pixelRows } = this.#frame;
    if (row < block.rowStart || row >= block.rowEnd) {
      this.#run = this.#runEnd = 0;
      this.value = 0;
      this.end = endless;
      return;
    }
    const pixelRow = pixelRows[row - block.rowStart]!;
    if (grid.kind === "runs") {
      this.#run = grid.rowStarts[pixelRow]!;
      this.#runEnd = grid.rowStarts[pixelRow + 1]!;
    } else {
      this.#run = 0;
      this.#runEnd = packRow(grid.indices, pixelRow * grid.widthPx, grid.widthPx, this.#ends, this.#values);
    }
    if (block.columnStart > 0) {
      this.value = 0;
      this.end = block.columnStart;
    } else this.next();
  }

  /** Goes to the next run. */
  next(): void {
    if (this.#run === this.#runEnd) {
      this.value = 0;
      this.end = endless;
      return;
    }
    const value = this.#values[this.#run]!;
    this.value = value > this.#classes ? 0 : value;
    this.end = this.#ends[this.#run]! + this.#frame.block.columnStart;
    this.#run += 1;
  }
}

/** Packs `width` bytes into runs; returns their number. */
function packRow(
  indices: Uint8Array,
  start: number,
  width: number,
  ends: Uint16Array,
  values: Uint8Array,
): number {
  let runs = 0;
  for (let column = 0; column < width; column++) {
    const value = indices[start + column]!;
    if (column > 0 && value === values[runs - 1]) ends[runs - 1] = column + 1;
    else {
      values[runs] = value;
      ends[runs] = column + 1;
      runs += 1;
    }
  }
  return runs;
}
