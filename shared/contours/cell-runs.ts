// Rows of a plane of classes as runs of cells, and of those the runs that reach a class.
import type { CellBlock } from "../geo/grid.ts";
import { findRunEnd, spreadByte, toWords } from "../png/word-runs.ts";

/** Class indices of a whole grid, row-major from the northwest, of which only a block draws. */
export interface ClassPlane {
  readonly columns: number;
  readonly block: CellBlock;
  readonly indices: Uint8Array;
}

/** Runs of cells of one class; cells without a class are in none. */
export interface ClassRuns {
  /** The row of the grid that `rowStarts[0]` stands for. */
  readonly firstRow: number;
  /** Length rows + 1: a row has the runs from its entry to the next. */
  readonly rowStarts: Uint32Array;
  /** Two columns a run: that of its first cell, and that after its last. */
  readonly edges: Int32Array;
  readonly values: Uint8Array;
}

/** Returns the runs of a plane. @param most highest index that is a class */
export function toClassRuns({ columns, block, indices }: ClassPlane, most: number): ClassRuns {
  const rows = block.rowEnd - block.rowStart;
  const rowStarts = new Uint32Array(rows + 1);
  const collected = new RunList();
  for (let row = 0; row < rows; row++) {
    const start = (block.rowStart + row) * columns;
    addRow(indices.subarray(start + block.columnStart, start + block.columnEnd), block.columnStart, {
      most,
      collected,
    });
    rowStarts[row + 1] = collected.count;
  }
  return { firstRow: block.rowStart, rowStarts, ...collected.finish() };
}

function addRow(
  row: Uint8Array,
  columnStart: number,
  { most, collected }: { readonly most: number; readonly collected: RunList },
): void {
  const words = toWords(row);
  for (let column = 0; column < row.length;) {
    const value = row[column]!;
    const start = column;
    // The rest of a word first, then whole words: most of a plane is empty.
    while (column < row.length && row[column] === value && (column & 3) !== 0) column += 1;
    if ((column & 3) === 0 && words[column >> 2] === spreadByte(value))
      column = Math.min(row.length, findRunEnd(words, column >> 2, spreadByte(value)) << 2);
    while (column < row.length && row[column] === value) column += 1;
    if (value > 0 && value <= most) collected.add(columnStart + start, columnStart + column, value);
  }
}

/** Returns the runs of cells of at least a class: neighbors that both reach it are one run. */
export function toRunsFrom({ firstRow, rowStarts, edges, values }: ClassRuns, least: number): ClassRuns {
  const starts = new Uint32Array(rowStarts.length);
  const collected = new RunList(values.length);
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    const end = rowStarts[row + 1]!;
    for (let run = rowStarts[row]!; run < end; run++) {
      if (values[run]! < least) continue;
      const from = edges[2 * run]!;
      while (run + 1 < end && values[run + 1]! >= least && edges[2 * run + 2] === edges[2 * run + 1]) run++;
      collected.add(from, edges[2 * run + 1]!, least);
    }
    starts[row + 1] = collected.count;
  }
  return { firstRow, rowStarts: starts, ...collected.finish() };
}

/** Runs of unknown number. */
class RunList {
  count = 0;
  #edges: Int32Array;
  #values: Uint8Array;

  constructor(capacity = 4096) {
    this.#edges = new Int32Array(2 * capacity);
    this.#values = new Uint8Array(capacity);
  }

  add(start: number, end: number, value: number): void {
    if (this.count === this.#values.length) this.#grow();
    this.#edges[2 * this.count] = start;
    this.#edges[2 * this.count + 1] = end;
    this.#values[this.count] = value;
    this.count += 1;
  }

  finish(): Pick<ClassRuns, "edges" | "values"> {
    return { edges: this.#edges.subarray(0, 2 * this.count), values: this.#values.subarray(0, this.count) };
  }

  #grow(): void {
    const capacity = Math.max(1024, 2 * this.count);
    const edges = new Int32Array(2 * capacity);
    const values = new Uint8Array(capacity);
    edges.set(this.#edges);
    values.set(this.#values);
    this.#edges = edges;
    this.#values = values;
  }
}
