// Packs chosen pixel rows of a frame as runs of equal classes, straight from its deflated picture.
import type { PngHeader } from "../png/header.ts";
import type { RunGrid } from "./index-grid.ts";
import { readPictureRows, readWholePicture, type WholeSink } from "./picture-rows.ts";

/** Columns are stored in 16 bits. */
const mostColumns = 0xffff;

/**
 * Returns the rows, in their order, in arrays that own more memory than they need; undefined for a picture of another
 * form, or damaged. The arguments are as for `readPictureRows`.
 */
export function readClassRuns(
  zlib: Uint8Array,
  size: Pick<PngHeader, "widthPx" | "heightPx">,
  rows: Int32Array,
): RunGrid | undefined {
  const { widthPx } = size;
  if (widthPx > mostColumns) return undefined;
  const packer = new RunPacker(widthPx, rows.length, toCapacity(zlib.length, widthPx, rows.length));
  return readPictureRows(zlib, size, rows, packer) ? packer.finish() : undefined;
}

/** Returns all rows of a picture as `readClassRuns` does. */
export function readAllClassRuns(
  zlib: Uint8Array,
  size: Pick<PngHeader, "widthPx" | "heightPx">,
): RunGrid | undefined {
  const { widthPx, heightPx } = size;
  if (widthPx > mostColumns) return undefined;
  const packer = new RunPacker(widthPx, heightPx, toCapacity(zlib.length, widthPx, heightPx));
  return readWholePicture(zlib, size, packer) ? packer.finish() : undefined;
}

/** Returns a number of runs that is seldom too small: a byte of the picture holds one or two. */
function toCapacity(byteLength: number, widthPx: number, rows: number): number {
  return widthPx + Math.min(2 * byteLength, widthPx * rows);
}

class RunPacker implements WholeSink {
  readonly #widthPx: number;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  #ends: Uint16Array<ArrayBuffer>;
  #values: Uint8Array<ArrayBuffer>;
  #row = 0;
  /** Runs so far, without the one in progress. */
  #runs = 0;
  #column = 0;
  /** The class of the last cell. */
  #class = 0;

  constructor(widthPx: number, rows: number, capacity: number) {
    this.#widthPx = widthPx;
    this.#rowStarts = new Uint32Array(rows + 1);
    this.#ends = new Uint16Array(capacity);
    this.#values = new Uint8Array(capacity);
  }

  /** Each difference that is not 0 ends a run. */
  addDifferences(bytes: Uint8Array, start: number, end: number): void {
    const ends = this.#ends;
    const values = this.#values;
    let runs = this.#runs;
    let column = this.#column;
    let value = this.#class;
    let at = start;
    if (column === 0) {
      value = bytes[at++]!;
      column = 1;
    }
    for (; at < end; at++, column++) {
      const difference = bytes[at]!;
      // Written in any case, and kept if the run ends here: a condition costs more.
      ends[runs] = column;
      values[runs] = value;
      runs += difference === 0 ? 0 : 1;
      value = (value + difference) & 0xff;
    }
    this.#runs = runs;
    this.#column = column;
    this.#class = value;
  }

  repeat(count: number): void {
    this.#column += count;
  }

  endRow(): void {
    this.#ends[this.#runs] = this.#widthPx;
    this.#values[this.#runs++] = this.#class;
    this.#column = 0;
    this.#closeRow();
  }

  repeatRow(): void {
    const start = this.#rowStarts[this.#row - 1]!;
    this.#ends.copyWithin(this.#runs, start, this.#runs);
    this.#values.copyWithin(this.#runs, start, this.#runs);
    this.#runs += this.#runs - start;
    this.#closeRow();
  }

  /** Leaves room for a row of which each cell is a run. */
  #closeRow(): void {
    this.#rowStarts[++this.#row] = this.#runs;
    if (this.#runs + this.#widthPx > this.#ends.length) this.#grow();
  }

  finish(): RunGrid {
    return {
      kind: "runs",
      widthPx: this.#widthPx,
      heightPx: this.#row,
      rowStarts: this.#rowStarts,
      ends: this.#ends.subarray(0, this.#runs),
      values: this.#values.subarray(0, this.#runs),
    };
  }

  #grow(): void {
    const capacity = this.#ends.length * 2 + this.#widthPx;
    const ends = new Uint16Array(capacity);
    const values = new Uint8Array(capacity);
    ends.set(this.#ends);
    values.set(this.#values);
    this.#ends = ends;
    this.#values = values;
  }
}
