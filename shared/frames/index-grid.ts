// The class indices of a frame in memory: as runs of equal cells, which for radar pictures take a tenth of the space,
// or as plain bytes where runs would take more. Built row by row during decoding; read by probe and upload.

import { findRunEnd, spreadByte, toWords } from "../png/word-runs.ts";

/** Either kind holds `heightPx` rows of `widthPx` palette indices, row-major from the northwest. */
interface GridSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface RunGrid extends GridSize {
  readonly kind: "runs";
  /** Length heightPx + 1: row r has the runs from `rowStarts[r]` to `rowStarts[r + 1]`. */
  readonly rowStarts: Uint32Array<ArrayBuffer>;
  /** The column after a run's last cell; the last run of a row ends at widthPx. */
  readonly ends: Uint16Array<ArrayBuffer>;
  readonly values: Uint8Array<ArrayBuffer>;
}

export interface RawGrid extends GridSize {
  readonly kind: "raw";
  readonly indices: Uint8Array<ArrayBuffer>;
}

export type IndexGrid = RunGrid | RawGrid;

/** A block of cells, half open. */
export interface GridBlock {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly columnStart: number;
  readonly columnEnd: number;
}

/** Columns are stored in 16 bits. */
const maxGridWidth = 0xffff;

const runBytes = Uint16Array.BYTES_PER_ELEMENT + Uint8Array.BYTES_PER_ELEMENT;

export function gridByteLength(grid: IndexGrid): number {
  return grid.kind === "raw"
    ? grid.indices.byteLength
    : grid.rowStarts.byteLength + grid.ends.byteLength + grid.values.byteLength;
}

/** Returns what to transfer when a grid is sent to another thread. */
export function gridBuffers(grid: IndexGrid): ArrayBuffer[] {
  return grid.kind === "raw"
    ? [grid.indices.buffer]
    : [grid.rowStarts.buffer, grid.ends.buffer, grid.values.buffer];
}

/** Returns the palette index of one cell. `row` and `column` must lie inside the grid. */
export function readCell(grid: IndexGrid, row: number, column: number): number {
  if (grid.kind === "raw") return grid.indices[row * grid.widthPx + column]!;
  return grid.values[findRun(grid, row, column)]!;
}

/** Writes a block's indices into `target`, row by row without padding. Returns the bytes written. */
export function copyBlock(grid: IndexGrid, block: GridBlock, target: Uint8Array): number {
  const width = block.columnEnd - block.columnStart;
  let at = 0;
  for (let row = block.rowStart; row < block.rowEnd; row++, at += width) {
    if (grid.kind === "raw") {
      const start = row * grid.widthPx;
      target.set(grid.indices.subarray(start + block.columnStart, start + block.columnEnd), at);
    } else {
      copyRuns(grid, row, block, target.subarray(at, at + width));
    }
  }
  return at;
}

function copyRuns(grid: RunGrid, row: number, block: GridBlock, target: Uint8Array): void {
  const { ends, values } = grid;
  const { columnStart, columnEnd } = block;
  let from = 0;
  for (let run = findRun(grid, row, columnStart); from < columnEnd - columnStart; run++) {
    const to = Math.min(ends[run]!, columnEnd) - columnStart;
    const value = values[run]!;
    // A call costs more than a few stores, and echoes are full of short runs.
    if (to - from > 16) target.fill(value, from, to);
    else for (let at = from; at < to; at++) target[at] = value;
    from = to;
  }
}

/** Returns the run that holds a column: the first of the row that ends after it. */
function findRun(grid: RunGrid, row: number, column: number): number {
  let low = grid.rowStarts[row]!;
  let high = grid.rowStarts[row + 1]! - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (grid.ends[middle]! > column) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Packs a picture's rows, added from north to south. */
export class IndexGridBuilder {
  readonly #widthPx: number;
  readonly #heightPx: number;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  #ends: Uint16Array<ArrayBuffer>;
  #values: Uint8Array<ArrayBuffer>;
  #runs = 0;
  #rows = 0;
  #raw: Uint8Array<ArrayBuffer> | undefined;

  /** @param isRough makes plain bytes in any case */
  constructor(widthPx: number, heightPx: number, isRough = false) {
    const isRaw = isRough || widthPx > maxGridWidth;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    if (isRaw) this.#raw = new Uint8Array(widthPx * heightPx);
    this.#rowStarts = new Uint32Array(heightPx + 1);
    const capacity = isRaw ? 0 : Math.max(1024, Math.ceil((widthPx * heightPx) / 64));
    this.#ends = new Uint16Array(capacity);
    this.#values = new Uint8Array(capacity);
  }

  /** Copies `row`, which has widthPx indices. */
  addRow(row: Uint8Array): void {
    if (this.#raw) this.#raw.set(row, this.#rows * this.#widthPx);
    else this.#addRuns(row);
    this.#endRow();
  }

  /** Adds the last row again. */
  repeatRow(): void {
    const width = this.#widthPx;
    if (this.#raw) this.#raw.copyWithin(this.#rows * width, (this.#rows - 1) * width, this.#rows * width);
    else {
      const start = this.#rowStarts[this.#rows - 1]!;
      const end = this.#runs;
      this.#reserve(end - start);
      this.#ends.copyWithin(end, start, end);
      this.#values.copyWithin(end, start, end);
      this.#runs += end - start;
    }
    this.#endRow();
  }

  #endRow(): void {
    this.#rows += 1;
    if (this.#raw) return;
    this.#rowStarts[this.#rows] = this.#runs;
    if (this.#runs * runBytes > this.#widthPx * this.#heightPx) this.#raw = this.#unpack();
  }

  /** Call once, after heightPx rows. */
  finish(): IndexGrid {
    const size = { widthPx: this.#widthPx, heightPx: this.#heightPx };
    if (this.#raw) return { kind: "raw", ...size, indices: this.#raw };
    return {
      kind: "runs",
      ...size,
      rowStarts: this.#rowStarts,
      ends: this.#ends.slice(0, this.#runs),
      values: this.#values.slice(0, this.#runs),
    };
  }

  #addRuns(row: Uint8Array): void {
    const width = this.#widthPx;
    this.#reserve(width);
    const ends = this.#ends;
    const values = this.#values;
    let runs = this.#runs;
    const words = toWords(row);
    let value = row[0]!;
    for (let column = 0; column < width;) {
      // Long runs go by in whole words.
      if (words[column >> 2] === spreadByte(value))
        column = findRunEnd(words, column >> 2, spreadByte(value)) << 2;
      const end = Math.min(column + 4, width);
      for (; column < end; column++) {
        const next = row[column]!;
        // Written in any case, and kept if the run ends here: a condition costs more.
        ends[runs] = column;
        values[runs] = value;
        runs += next === value ? 0 : 1;
        value = next;
      }
    }
    ends[runs] = width;
    values[runs] = value;
    this.#runs = runs + 1;
  }

  /** Makes room for `runs` more runs. */
  #reserve(runs: number): void {
    if (this.#runs + runs <= this.#ends.length) return;
    const capacity = Math.max(this.#ends.length * 2, this.#runs + runs);
    const ends = new Uint16Array(capacity);
    const values = new Uint8Array(capacity);
    ends.set(this.#ends);
    values.set(this.#values);
    this.#ends = ends;
    this.#values = values;
  }

  /** Returns the rows so far as plain bytes, with room for the rest. */
  #unpack(): Uint8Array<ArrayBuffer> {
    const indices = new Uint8Array(this.#widthPx * this.#heightPx);
    const grid: RunGrid = {
      kind: "runs",
      widthPx: this.#widthPx,
      heightPx: this.#heightPx,
      rowStarts: this.#rowStarts,
      ends: this.#ends,
      values: this.#values,
    };
    copyBlock(grid, { rowStart: 0, rowEnd: this.#rows, columnStart: 0, columnEnd: this.#widthPx }, indices);
    return indices;
  }
}
