// Packs chosen pixel rows of a frame as runs of equal classes, straight from its deflated picture.
import type { PngHeader } from "../png/header.ts";
import type { RunGrid } from "./index-grid.ts";
import { readPictureRows, readWholePicture, type WholeSink } from "./picture-rows.ts";

/** Columns are stored in 16 bits. */
const mostColumns = 0xffff;

type PictureSize = Pick<PngHeader, "widthPx" | "heightPx">;

/**
 * Returns the rows, in their order, in arrays that own more memory than they need; undefined for a picture of another
 * form, or damaged. The arguments are as for `readPictureRows`.
 */
export function readClassRuns(zlib: Uint8Array, size: PictureSize, rows: Int32Array): RunGrid | undefined {
  const { widthPx } = size;
  if (widthPx > mostColumns) return undefined;
  const packer = new RunPacker(widthPx, rows.length, toCapacity(zlib.length, widthPx, rows.length));
  return readPictureRows(zlib, size, rows, packer) ? packer.finish() : undefined;
}

/** Returns all rows of a picture as `readClassRuns` does. */
export function readAllClassRuns(zlib: Uint8Array, size: PictureSize): RunGrid | undefined {
  const { widthPx, heightPx } = size;
  if (widthPx > mostColumns) return undefined;
  const packer = new RunPacker(widthPx, heightPx, toCapacity(zlib.length, widthPx, heightPx));
  return readWholePicture(zlib, size, packer) ? packer.finish() : undefined;
}

/** Takes the first `count` runs of `ends` and `values`: those of a row, as a `RunGrid` holds them. */
export type TakeRowRuns = (row: number, ends: Uint16Array, values: Uint8Array, count: number) => void;

/**
 * Gives the runs of each row to `take`, from north to south. They are valid during the call. Returns false for a
 * picture of another form, or damaged, of which some rows may have been given.
 */
export function visitClassRuns(zlib: Uint8Array, size: PictureSize, take: TakeRowRuns): boolean {
  return size.widthPx <= mostColumns && readWholePicture(zlib, size, new RowVisitor(size.widthPx, take));
}

/** Returns a number of runs that is seldom too small: a byte of the picture holds one or two. */
function toCapacity(byteLength: number, widthPx: number, rows: number): number {
  return widthPx + Math.min(2 * byteLength, widthPx * rows);
}

/** Writes the runs of one row after another. */
class RunWriter {
  readonly #widthPx: number;
  ends: Uint16Array<ArrayBuffer>;
  values: Uint8Array<ArrayBuffer>;
  /** Runs so far, without the one in progress. */
  count = 0;
  #column = 0;
  /** The class of the last cell. */
  #class = 0;

  constructor(widthPx: number, capacity: number) {
    this.#widthPx = widthPx;
    this.ends = new Uint16Array(capacity);
    this.values = new Uint8Array(capacity);
  }

  /** Each difference that is not 0 ends a run. */
  addDifferences(bytes: Uint8Array, start: number, end: number): void {
    const { ends, values } = this;
    let runs = this.count;
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
    this.count = runs;
    this.#column = column;
    this.#class = value;
  }

  repeat(count: number): void {
    this.#column += count;
  }

  endRow(): void {
    this.ends[this.count] = this.#widthPx;
    this.values[this.count++] = this.#class;
    this.#column = 0;
  }
}

class RunPacker implements WholeSink {
  readonly #widthPx: number;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  readonly #writer: RunWriter;
  #row = 0;

  constructor(widthPx: number, rows: number, capacity: number) {
    this.#widthPx = widthPx;
    this.#rowStarts = new Uint32Array(rows + 1);
    this.#writer = new RunWriter(widthPx, capacity);
  }

  addDifferences(bytes: Uint8Array, start: number, end: number): void {
    this.#writer.addDifferences(bytes, start, end);
  }

  repeat(count: number): void {
    this.#writer.repeat(count);
  }

  endRow(): void {
    this.#writer.endRow();
    this.#closeRow();
  }

  repeatRow(): void {
    const writer = this.#writer;
    const start = this.#rowStarts[this.#row - 1]!;
    writer.ends.copyWithin(writer.count, start, writer.count);
    writer.values.copyWithin(writer.count, start, writer.count);
    writer.count += writer.count - start;
    this.#closeRow();
  }

  /** Leaves room for a row of which each cell is a run. */
  #closeRow(): void {
    const { count, ends } = this.#writer;
    this.#rowStarts[++this.#row] = count;
    if (count + this.#widthPx > ends.length) this.#grow();
  }

  finish(): RunGrid {
    const { count, ends, values } = this.#writer;
    return {
      kind: "runs",
      widthPx: this.#widthPx,
      heightPx: this.#row,
      rowStarts: this.#rowStarts,
      ends: ends.subarray(0, count),
      values: values.subarray(0, count),
    };
  }

  #grow(): void {
    const writer = this.#writer;
    const capacity = writer.ends.length * 2 + this.#widthPx;
    const ends = new Uint16Array(capacity);
    const values = new Uint8Array(capacity);
    ends.set(writer.ends);
    values.set(writer.values);
    writer.ends = ends;
    writer.values = values;
  }
}

class RowVisitor implements WholeSink {
  readonly #take: TakeRowRuns;
  readonly #writer: RunWriter;
  #row = 0;
  /** Number of runs of the last row, which are there until the next one begins. */
  #count = 0;

  constructor(widthPx: number, take: TakeRowRuns) {
    this.#take = take;
    this.#writer = new RunWriter(widthPx, widthPx);
  }

  addDifferences(bytes: Uint8Array, start: number, end: number): void {
    this.#writer.addDifferences(bytes, start, end);
  }

  repeat(count: number): void {
    this.#writer.repeat(count);
  }

  endRow(): void {
    const writer = this.#writer;
    writer.endRow();
    this.#count = writer.count;
    writer.count = 0;
    this.repeatRow();
  }

  repeatRow(): void {
    const { ends, values } = this.#writer;
    this.#take(this.#row++, ends, values, this.#count);
  }
}
