// Reads chosen pixel rows of a frame as runs of equal classes, straight from the runs that its deflated picture is made
// of, without ever holding its pixels. For pictures as publication writes them: the Sub filter, or the row above again.
import type { PngHeader } from "../png/header.ts";
import { inflateRuns, longestRun, type RunBatch } from "../png/inflate-runs.ts";
import { FILTER_CODES } from "../png/unfilter.ts";
import type { RunGrid } from "./index-grid.ts";

/** Columns are stored in 16 bits. */
const mostColumns = 0xffff;

/**
 * Returns the rows, in their order, in arrays that own more memory than they need; undefined for a picture of another
 * form, or damaged. Stops inflating after the last row.
 * @param zlib the deflated picture, its bytes checked
 * @param rows pixel rows to read, ascending, each once, at least one
 */
export function readClassRuns(
  zlib: Uint8Array,
  { widthPx, heightPx }: Pick<PngHeader, "widthPx" | "heightPx">,
  rows: Int32Array,
): RunGrid | undefined {
  if (widthPx > mostColumns || rows[rows.length - 1]! >= heightPx) return undefined;
  const reader = new ClassRunReader(widthPx, rows, toCapacity(zlib.length, widthPx, rows.length));
  const outcome = inflateRuns(zlib, (batch) => reader.take(batch));
  return outcome === "other" ? undefined : reader.finish();
}

/** Returns a number of runs that is seldom too small: a byte of the picture holds one or two. */
function toCapacity(byteLength: number, widthPx: number, rows: number): number {
  return widthPx + Math.min(2 * byteLength, widthPx * rows);
}

class ClassRunReader {
  readonly #widthPx: number;
  readonly #rows: Int32Array;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  #ends: Uint16Array<ArrayBuffer>;
  #values: Uint8Array<ArrayBuffer>;
  /** Number of rows kept so far, and of their runs. */
  #kept = 0;
  #keptRuns = 0;
  /** Runs of the newest row; the row above the first is empty. */
  #rowStart = 0;
  #rowEnd = 1;
  /** Runs so far, with those of the row in progress. */
  #runs = 0;
  #row = 0;
  /** -1 before a row's filter byte. */
  #column = -1;
  #filter = 0;
  /** The class of the last cell. */
  #class = 0;
  #isOther = false;
  #isDone = false;
  /** Room for the longest run. */
  readonly #repeated = new Uint8Array(longestRun);

  constructor(widthPx: number, rows: Int32Array, capacity: number) {
    this.#widthPx = widthPx;
    this.#rows = rows;
    this.#rowStarts = new Uint32Array(rows.length + 1);
    this.#ends = new Uint16Array(capacity);
    this.#values = new Uint8Array(capacity);
    this.#ends[0] = widthPx;
  }

  /** Returns false when it needs no more. */
  take({ bytes, byteCount, runAt, runValues, runLengths, runCount }: RunBatch): boolean {
    let at = 0;
    for (let run = 0; run < runCount; run++) {
      const end = runAt[run]!;
      if (at < end) this.#addBytes(bytes, at, end);
      at = end;
      const length = runLengths[run]!;
      // Most runs repeat a class within a row.
      if (runValues[run] === 0 && this.#column > 0 && this.#column + length < this.#widthPx) {
        this.#column += length;
      } else {
        this.#addBytes(this.#repeated.fill(runValues[run]!, 0, length), 0, length);
      }
      if (this.#isDone) return false;
    }
    this.#addBytes(bytes, at, byteCount);
    return !this.#isDone;
  }

  /** Returns undefined unless every row was read. */
  finish(): RunGrid | undefined {
    if (this.#isOther || this.#kept < this.#rows.length) return undefined;
    return {
      kind: "runs",
      widthPx: this.#widthPx,
      heightPx: this.#rows.length,
      rowStarts: this.#rowStarts,
      ends: this.#ends.subarray(0, this.#keptRuns),
      values: this.#values.subarray(0, this.#keptRuns),
    };
  }

  #addBytes(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end && !this.#isDone;) {
      if (this.#column < 0) {
        this.#startRow(bytes[at++]!);
        continue;
      }
      const stop = Math.min(end, at + this.#widthPx - this.#column);
      if (this.#filter === FILTER_CODES.sub) {
        this.#addDifferences(bytes, at, stop);
      } else {
        // The row above again: anything else is another form.
        for (let byte = at; byte < stop; byte++) if (bytes[byte] !== 0) this.#isOther = this.#isDone = true;
        this.#column += stop - at;
      }
      at = stop;
      if (this.#column === this.#widthPx) this.#endRow();
    }
  }

  #startRow(filter: number): void {
    if (filter !== FILTER_CODES.sub && filter !== FILTER_CODES.up) this.#isOther = this.#isDone = true;
    this.#filter = filter;
    this.#column = 0;
    this.#class = 0;
    this.#runs = this.#keptRuns;
    if (this.#keptRuns + this.#widthPx > this.#ends.length) this.#grow();
  }

  /** Adds cells by their differences from the cell on the left: each that is not 0 ends a run. */
  #addDifferences(bytes: Uint8Array, start: number, end: number): void {
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

  #endRow(): void {
    if (this.#filter === FILTER_CODES.sub) {
      this.#ends[this.#runs] = this.#widthPx;
      this.#values[this.#runs++] = this.#class;
      this.#rowStart = this.#keptRuns;
      this.#rowEnd = this.#runs;
    }
    if (this.#row === this.#rows[this.#kept]) this.#keepRow();
    this.#row += 1;
    this.#column = -1;
  }

  #keepRow(): void {
    const count = this.#rowEnd - this.#rowStart;
    if (this.#rowStart !== this.#keptRuns) {
      this.#ends.copyWithin(this.#keptRuns, this.#rowStart, this.#rowEnd);
      this.#values.copyWithin(this.#keptRuns, this.#rowStart, this.#rowEnd);
      this.#rowStart = this.#keptRuns;
      this.#rowEnd = this.#rowStart + count;
    }
    this.#keptRuns = this.#rowEnd;
    this.#kept += 1;
    this.#isDone = this.#kept === this.#rows.length;
    this.#rowStarts[this.#kept] = this.#keptRuns;
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
