// The swath: the highest class of each cell over a list of frames of one layer.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import type { RawGrid, RunGrid } from "../frames/index-grid.ts";
import { unionBlocks, type CellBlock, type LatLonGrid } from "../geo/grid.ts";
import { earthRadiusKm, radPerDeg } from "../geo/sphere.ts";
import { findRunEnd, toWords } from "../png/word-runs.ts";
import type { RaiseTarget } from "../frames/raise-picture.ts";
import type { CellFrame, CellGround } from "./cell-frame.ts";
import { isSameGround, type FrameGround } from "./same-ground.ts";

export interface Swath {
  readonly classes: FrameClasses;
  /** 1 where any of the frames covers. */
  readonly coverage: CoverageGrid;
  /** The whole source grid; undefined if no frame draws anything. */
  readonly cells: LatLonGrid | undefined;
  /** The block of the whole grid in which frames draw. */
  readonly block: CellBlock;
  /** The highest class index of each cell of the whole grid, row-major from the northwest; empty if none draws. */
  readonly highest: Uint8Array<ArrayBuffer>;
}

const emptyBlock: CellBlock = { rowStart: 0, rowEnd: 0, columnStart: 0, columnEnd: 0 };

/**
 * Takes the cells that a frame raised in a row of the whole grid, from the west: each is its column << 8 with its class
 * index before. The array is used again.
 */
export type TakeRaised = (row: number, raised: Uint32Array) => void;

/** Takes the frames in ascending time of observation. A frame raises cells of the swath and never lowers one. */
export class SwathBuilder {
  /** The frames before the earliest that draws, and that one: the others must be on its ground. */
  readonly #first: CellFrame[] = [];
  readonly #isUsed: boolean[] = [];
  #reference: FrameGround | undefined;
  #block = emptyBlock;
  #highest = new Uint8Array();
  #coveredBits = new Uint8Array();

  readonly #takeRaised: TakeRaised | undefined;

  /**
   * @param reference the earliest frame that draws, if it is known: the frames may then come in any order
   * @param takeRaised is called in each row with raised cells
   */
  constructor(reference?: FrameGround, takeRaised?: TakeRaised) {
    this.#reference = reference;
    this.#takeRaised = takeRaised;
    if (reference) this.#begin(reference);
  }

  add(frame: CellFrame): void {
    if (!this.#reference) {
      this.#first.push(frame);
      if (frame.cells) this.#reference = frame;
      if (frame.cells || this.#first.length === 1) this.#beginAgain(frame);
    }
    this.#isUsed.push(this.#addOnGround(this.#reference ?? this.#first[0]!, frame));
  }

  /**
   * Adds a frame that draws something from its deflated picture, without decoding it to cells. Returns undefined, with
   * some cells perhaps raised, if `raiseFromPicture` cannot read it; else whether it is used. Needs a reference.
   */
  addPicture(frame: FrameGround & CellGround, raise: (target: RaiseTarget) => boolean): boolean | undefined {
    const { block, cells, pixelRows, classes } = frame;
    if (!this.#reference || !cells || !isSameGround(this.#reference, frame)) return false;
    const firstCell = block.rowStart * cells.columns + block.columnStart;
    const target = { highest: this.#highest, firstCell, columns: cells.columns, pixelRows };
    if (!raise({ ...target, classes: classes.edges.length })) return undefined;
    addBits(this.#coveredBits, frame.coverage.bits);
    this.#block = unionBlocks(this.#block, block);
    return true;
  }

  /** Adds the frames of another swath with the same reference. */
  merge({ coverage, block, highest }: Pick<Swath, "coverage" | "block" | "highest">): void {
    addBits(this.#coveredBits, coverage.bits);
    raiseAll(this.#highest, highest);
    this.#block = unionBlocks(this.#block, block);
  }

  /** Adds the frames before this one, now on its ground. */
  #beginAgain(frame: CellFrame): void {
    this.#begin(frame);
    const earlier = this.#first.slice(0, -1);
    earlier.forEach((other, index) => (this.#isUsed[index] = this.#addOnGround(frame, other)));
  }

  #begin({ coverage, cells }: FrameGround): void {
    this.#coveredBits = new Uint8Array(coverage.bits.length);
    if (cells) this.#highest = new Uint8Array(cells.rows * cells.columns);
  }

  /** For each frame taken, whether it is used; the others are on another grid than the earliest that draws. */
  get isUsed(): readonly boolean[] {
    return this.#isUsed;
  }

  /** Returns the swath so far, which shares its memory with the builder; undefined before the first frame. */
  toSwath(): Swath | undefined {
    const reference = this.#reference ?? this.#first[0];
    if (!reference) return undefined;
    const { classes, cells, coverage } = reference;
    return {
      classes,
      coverage: { ...coverage, bits: this.#coveredBits },
      cells,
      block: this.#block,
      highest: this.#highest,
    };
  }

  #addOnGround(reference: FrameGround, frame: CellFrame): boolean {
    if (!isSameGround(reference, frame)) return false;
    addBits(this.#coveredBits, frame.coverage.bits);
    if (!frame.cells) return true;
    raiseCells(this.#highest, frame, frame.cells.columns, this.#takeRaised);
    this.#block = unionBlocks(this.#block, frame.block);
    return true;
  }
}

function addBits(bits: Uint8Array, others: Uint8Array): void {
  for (let at = 0; at < bits.length; at++) bits[at]! |= others[at]!;
}

/** Raises each of `highest` to the other's, of the same length. Most words of four cells have no class. */
function raiseAll(highest: Uint8Array, others: Uint8Array): void {
  const words = new Int32Array(others.buffer, others.byteOffset, others.length >> 2);
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue;
    for (let at = word * 4; at < word * 4 + 4; at++)
      if (highest[at]! < others[at]!) highest[at] = others[at]!;
  }
  for (let at = words.length * 4; at < others.length; at++) {
    if (highest[at]! < others[at]!) highest[at] = others[at]!;
  }
}

/** Raises each of `highest` to the frame's class. Walks the runs themselves: a cursor takes three times as long. */
function raiseCells(
  highest: Uint8Array,
  { grid, block, pixelRows, classes }: CellFrame,
  columns: number,
  takeRaised: TakeRaised | undefined,
): void {
  const most = classes.edges.length;
  const raised = new Uint32Array(grid.widthPx);
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    const whole = highest.subarray(row * columns, (row + 1) * columns);
    const target = { row: whole, columnStart: block.columnStart, most, raised };
    const pixelRow = pixelRows[row - block.rowStart]!;
    const count =
      grid.kind === "runs" ? raiseRuns(target, grid, pixelRow) : raiseBytes(target, grid, pixelRow);
    if (count > 0) takeRaised?.(row, raised.subarray(0, count));
  }
}

interface RaisedRow {
  /** The row of the whole grid. */
  readonly row: Uint8Array;
  /** The column of the frame's first cell. */
  readonly columnStart: number;
  readonly most: number;
  readonly raised: Uint32Array;
}

/** Returns the number of raised cells. */
function raiseRuns(
  { row, columnStart, most, raised }: RaisedRow,
  { rowStarts, ends, values }: RunGrid,
  pixelRow: number,
): number {
  const lastRun = rowStarts[pixelRow + 1]!;
  let count = 0;
  let column = columnStart;
  for (let run = rowStarts[pixelRow]!; run < lastRun; run++) {
    const value = values[run]!;
    const end = columnStart + ends[run]!;
    if (value === 0 || value > most) column = end;
    for (; column < end; column++) {
      const before = row[column]!;
      // Written in any case, and kept if the cell rises: a condition costs more.
      raised[count] = (column << 8) | before;
      count += before < value ? 1 : 0;
      row[column] = before < value ? value : before;
    }
  }
  return count;
}

/** Returns the number of raised cells. */
function raiseBytes(
  { row, columnStart, most, raised }: RaisedRow,
  { indices, widthPx }: RawGrid,
  pixelRow: number,
): number {
  const from = pixelRow * widthPx - columnStart;
  let count = 0;
  for (let column = columnStart; column < columnStart + widthPx; column++) {
    const value = indices[from + column]!;
    const before = row[column]!;
    const rises = before < value && value <= most;
    raised[count] = (column << 8) | before;
    count += rises ? 1 : 0;
    row[column] = rises ? value : before;
  }
  return count;
}

/** The cells of a swath that have one class. */
export interface SwathClass {
  /** The lower edge of the class. */
  readonly lower: number;
  readonly cells: number;
  readonly km2: number;
}

/** Returns the classes that cells have, ascending. */
export function toSwathClasses(swath: Swath): SwathClass[] {
  const { cells, block, highest } = swath;
  const counts = new Uint32Array(256);
  return sumClasses(swath, (row) => {
    const start = row * (cells?.columns ?? 0);
    counts.fill(0);
    countRow(highest.subarray(start + block.columnStart, start + block.columnEnd), counts);
    return counts;
  });
}

/** Adds up the rows. @param countsOf returns the number of cells of each class index in a row of the block */
export function sumClasses(
  { classes, cells, block }: Swath,
  countsOf: (row: number) => Uint32Array,
): SwathClass[] {
  if (!cells) return [];
  const total = new Float64Array(256);
  const areas = new Float64Array(256);
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    const inRow = countsOf(row);
    const km2 = cellKm2(cells, row);
    for (let index = 1; index <= classes.edges.length; index++) {
      total[index]! += inRow[index]!;
      areas[index]! += inRow[index]! * km2;
    }
  }
  return classes.edges.flatMap((lower, place) => {
    const count = total[place + 1]!;
    return count > 0 ? [{ lower, cells: count, km2: areas[place + 1]! }] : [];
  });
}

/** Counts the cells of each class. Most words of four cells have none, and are passed over. */
function countRow(row: Uint8Array, counts: Uint32Array): void {
  const words = toWords(row);
  for (let at = 0; at < row.length;) {
    if (words[at >> 2] === 0) at = findRunEnd(words, at >> 2, 0) << 2;
    const end = Math.min(at + 4, row.length);
    for (; at < end; at++) counts[row[at]!]! += 1;
  }
}

/** Returns the area on the earth of a cell of a row, in square kilometers. */
function cellKm2({ northUdeg, spacingXUdeg, spacingYUdeg }: LatLonGrid, row: number): number {
  const toSine = (edge: number): number => Math.sin(((northUdeg - edge * spacingYUdeg) / 1e6) * radPerDeg);
  return earthRadiusKm ** 2 * (spacingXUdeg / 1e6) * radPerDeg * (toSine(row) - toSine(row + 1));
}
