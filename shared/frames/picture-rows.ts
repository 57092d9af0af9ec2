// Reads chosen pixel rows of a frame straight from the runs that its deflated picture is made of, without ever holding
// its pixels. For pictures as publication writes them: each row of cells first appears in a pixel row with the Sub
// filter.
import type { PngHeader } from "../png/header.ts";
import { inflateRuns, longestRun, type RunBatch } from "../png/inflate-runs.ts";
import { FILTER_CODES } from "../png/unfilter.ts";

/** Takes the cells of the chosen rows, from west to east and from north to south. */
export interface RowSink {
  /** Adds a cell for each byte from `start`: its difference, modulo 256, from the cell on the left, or from 0. */
  addDifferences(bytes: Uint8Array, start: number, end: number): void;
  /** Adds cells of the same class as the cell on the left. */
  repeat(count: number): void;
  endRow(): void;
}

/** Takes all rows of a picture. */
export interface WholeSink extends RowSink {
  /** Adds the last row again. */
  repeatRow(): void;
}

/**
 * Returns false for a picture of another form, or damaged; the sink may have some cells by then. Stops inflating after
 * the last row.
 * @param zlib the deflated picture, its bytes checked
 * @param rows pixel rows to read, ascending, each once, at least one
 */
export function readPictureRows(
  zlib: Uint8Array,
  { widthPx, heightPx }: Pick<PngHeader, "widthPx" | "heightPx">,
  rows: Int32Array,
  sink: RowSink,
): boolean {
  if (rows[rows.length - 1]! >= heightPx) return false;
  const reader = new RowReader(widthPx, rows, sink);
  return inflateRuns(zlib, (batch) => reader.take(batch)) !== "other" && reader.isComplete;
}

/**
 * Reads all pixel rows: one that repeats the row above it has the Up filter and zeros. Returns as `readPictureRows`
 * does.
 */
export function readWholePicture(
  zlib: Uint8Array,
  { widthPx, heightPx }: Pick<PngHeader, "widthPx" | "heightPx">,
  sink: WholeSink,
): boolean {
  const rows = Int32Array.from({ length: heightPx }, (_, row) => row);
  const reader = new RowReader(widthPx, rows, sink, sink);
  return inflateRuns(zlib, (batch) => reader.take(batch)) !== "other" && reader.isComplete;
}

class RowReader {
  readonly #widthPx: number;
  readonly #rows: Int32Array;
  readonly #sink: RowSink;
  /** Undefined where no row repeats the one above it. */
  readonly #repeats: Pick<WholeSink, "repeatRow"> | undefined;
  /** Room for the longest run. */
  readonly #repeated = new Uint8Array(longestRun);
  /** Number of chosen rows so far. */
  #taken = 0;
  #row = 0;
  /** -1 before a row's filter byte. */
  #column = -1;
  /** True in a chosen row that has its own cells. */
  #isWanted = false;
  /** True in a chosen row that repeats the one above it: only zeros may follow. */
  #isRepeat = false;
  #isOther = false;

  constructor(widthPx: number, rows: Int32Array, sink: RowSink, repeats?: Pick<WholeSink, "repeatRow">) {
    this.#widthPx = widthPx;
    this.#rows = rows;
    this.#sink = sink;
    this.#repeats = repeats;
  }

  get isComplete(): boolean {
    return !this.#isOther && this.#taken === this.#rows.length;
  }

  /** Returns false when it needs no more. */
  take({ bytes, byteCount, runAt, runValues, runLengths, runCount }: RunBatch): boolean {
    const sink = this.#sink;
    let at = 0;
    for (let run = 0; run < runCount; run++) {
      const end = runAt[run]!;
      if (at < end) this.#addBytes(bytes, at, end);
      at = end;
      const length = runLengths[run]!;
      const isInRow = this.#column > 0 && this.#column + length <= this.#widthPx;
      // Most runs repeat a class within a row, or are of rows that nobody wants.
      if (isInRow && (runValues[run] === 0 || !(this.#isWanted || this.#isRepeat))) {
        if (this.#isWanted) sink.repeat(length);
        this.#column += length;
        if (this.#column === this.#widthPx) this.#endRow();
      } else this.#addBytes(this.#repeated.fill(runValues[run]!, 0, length), 0, length);
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
      if (this.#isWanted) this.#sink.addDifferences(bytes, at, stop);
      else if (this.#isRepeat && !isZero(bytes, at, stop)) this.#isOther = true;
      this.#column += stop - at;
      at = stop;
      if (this.#column === this.#widthPx) this.#endRow();
    }
  }

  #startRow(filter: number): void {
    const isChosen = this.#row === this.#rows[this.#taken];
    this.#isRepeat = isChosen && this.#repeats !== undefined && filter === FILTER_CODES.up && this.#row > 0;
    this.#isWanted = isChosen && !this.#isRepeat;
    if (this.#isWanted && filter !== FILTER_CODES.sub) this.#isOther = true;
    this.#column = 0;
  }

  #endRow(): void {
    if (this.#isWanted) this.#sink.endRow();
    else if (this.#isRepeat) this.#repeats!.repeatRow();
    if (this.#isWanted || this.#isRepeat) this.#taken += 1;
    this.#row += 1;
    this.#column = -1;
  }
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}
