// Raises cells to the classes of a frame, straight from the runs that its deflated picture is made of. For pictures as
// publication writes them: each row of cells first appears in a pixel row with the Sub filter.
import type { PngHeader } from "../png/header.ts";
import { inflateRuns, longestRun, type RunBatch } from "../png/inflate-runs.ts";
import { FILTER_CODES } from "../png/unfilter.ts";

export interface RaiseTarget {
  /** A class index for each cell of the whole grid, row-major. */
  readonly highest: Uint8Array;
  /** The cell that the picture's northwest pixel shows. */
  readonly firstCell: number;
  /** Columns of the whole grid. */
  readonly columns: number;
  /** For each row of cells, the first pixel row that shows it, ascending. */
  readonly pixelRows: Int32Array;
  /** Number of classes: a picture with a higher index is of another form. */
  readonly classes: number;
}

/**
 * Returns false for a picture of another form, or damaged; some cells may be raised by then.
 * @param zlib the deflated picture, its bytes checked
 */
export function raiseFromPicture(
  zlib: Uint8Array,
  { widthPx, heightPx }: Pick<PngHeader, "widthPx" | "heightPx">,
  target: RaiseTarget,
): boolean {
  if (target.pixelRows[target.pixelRows.length - 1]! >= heightPx) return false;
  const raiser = new PictureRaiser(widthPx, target);
  return inflateRuns(zlib, (batch) => raiser.take(batch)) !== "other" && raiser.isComplete;
}

class PictureRaiser {
  readonly #widthPx: number;
  readonly #target: RaiseTarget;
  /** Room for the longest run. */
  readonly #repeated = new Uint8Array(longestRun);
  /** Rows of cells so far. */
  #cellRow = 0;
  #pixelRow = 0;
  /** -1 before a row's filter byte. */
  #column = -1;
  /** True in a pixel row that shows its row of cells first. */
  #isWanted = false;
  /** The class of the last cell. */
  #class = 0;
  #isOther = false;

  constructor(widthPx: number, target: RaiseTarget) {
    this.#widthPx = widthPx;
    this.#target = target;
  }

  get isComplete(): boolean {
    return !this.#isOther && this.#cellRow === this.#target.pixelRows.length;
  }

  /** Returns false when it needs no more. */
  take({ bytes, byteCount, runAt, runValues, runLengths, runCount }: RunBatch): boolean {
    let at = 0;
    for (let run = 0; run < runCount; run++) {
      const end = runAt[run]!;
      if (at < end) this.#addBytes(bytes, at, end);
      at = end;
      const length = runLengths[run]!;
      const isInRow = this.#column > 0 && this.#column + length < this.#widthPx;
      // Most runs are of cells without a class, or of pixels that are shown before.
      if (isInRow && (!this.#isWanted || (runValues[run] === 0 && this.#class === 0))) this.#column += length;
      else this.#addBytes(this.#repeated.fill(runValues[run]!, 0, length), 0, length);
    }
    this.#addBytes(bytes, at, byteCount);
    return !this.#isOther && !this.isComplete;
  }

  #addBytes(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end && !this.#isOther;) {
      if (this.#column < 0) {
        this.#startRow(bytes[at++]!);
        continue;
      }
      const stop = Math.min(end, at + this.#widthPx - this.#column);
      if (this.#isWanted) this.#raise(bytes, at, stop);
      this.#column += stop - at;
      at = stop;
      if (this.#column === this.#widthPx) this.#endRow();
    }
  }

  #startRow(filter: number): void {
    this.#isWanted = this.#pixelRow === this.#target.pixelRows[this.#cellRow];
    if (this.#isWanted && filter !== FILTER_CODES.sub) this.#isOther = true;
    this.#column = 0;
    this.#class = 0;
  }

  /** Raises cells by their differences from the cell on the left. */
  #raise(bytes: Uint8Array, start: number, end: number): void {
    const { highest, firstCell, columns, classes } = this.#target;
    let cell = firstCell + this.#cellRow * columns + this.#column;
    let value = this.#class;
    for (let at = start; at < end; at++, cell++) {
      value = (value + bytes[at]!) & 0xff;
      if (highest[cell]! >= value) continue;
      if (value <= classes) highest[cell] = value;
      else this.#isOther = true;
    }
    this.#class = value;
  }

  #endRow(): void {
    if (this.#isWanted) this.#cellRow += 1;
    this.#pixelRow += 1;
    this.#column = -1;
  }
}
