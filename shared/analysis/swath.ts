// The swath: the highest class of each cell over a list of frames of one layer.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import { isEmptyBlock, unionBlocks, type CellBlock, type LatLonGrid } from "../geo/grid.ts";
import type { CellFrame } from "./cell-frame.ts";
import { RowCursor } from "./row-cursor.ts";
import { isSameGround } from "./same-ground.ts";

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

/** Takes the frames in ascending time of observation. A frame raises cells of the swath and never lowers one. */
export class SwathBuilder {
  /** The frames before the earliest that draws, and that one: the others must be on its ground. */
  readonly #first: CellFrame[] = [];
  readonly #isUsed: boolean[] = [];
  #reference: CellFrame | undefined;
  #block = emptyBlock;
  #highest = new Uint8Array();
  #coveredBits = new Uint8Array();

  add(frame: CellFrame): void {
    if (this.#reference) {
      this.#isUsed.push(this.#addOnGround(this.#reference, frame));
      return;
    }
    this.#first.push(frame);
    if (frame.cells) this.#reference = frame;
    const reference = this.#reference ?? this.#first[0]!;
    this.#coveredBits = new Uint8Array(reference.coverage.bits.length);
    if (frame.cells) this.#highest = new Uint8Array(frame.cells.rows * frame.cells.columns);
    this.#isUsed.length = 0;
    for (const earlier of this.#first) this.#isUsed.push(this.#addOnGround(reference, earlier));
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

  #addOnGround(reference: CellFrame, frame: CellFrame): boolean {
    if (!isSameGround(reference, frame)) return false;
    const { bits } = frame.coverage;
    for (let at = 0; at < bits.length; at++) this.#coveredBits[at]! |= bits[at]!;
    if (!frame.cells) return true;
    raiseCells(this.#highest, frame, frame.cells.columns);
    this.#block = unionBlocks(this.#block, frame.block);
    return true;
  }
}

/** Raises each of `highest` to the frame's class. */
function raiseCells(highest: Uint8Array, frame: CellFrame, columns: number): void {
  const cursor = new RowCursor(frame);
  const { rowStart, rowEnd, columnEnd } = frame.block;
  for (let row = rowStart; row < rowEnd; row++) {
    const start = row * columns;
    let column = 0;
    cursor.seek(row);
    while (column < columnEnd) {
      const end = Math.min(cursor.end, columnEnd);
      if (cursor.value > 0) raiseRun(highest, start + column, start + end, cursor.value);
      column = end;
      cursor.next();
    }
  }
}

function raiseRun(highest: Uint8Array, start: number, end: number, value: number): void {
  for (let at = start; at < end; at++) if (highest[at]! < value) highest[at] = value;
}

/** Returns the number of cells of each class, `[lower edge, cells]` ascending, without classes that no cell has. */
export function toHistogram({ classes, highest }: Swath): [lower: number, cells: number][] {
  const counts = new Uint32Array(256);
  for (const index of highest) counts[index]! += 1;
  return classes.edges.flatMap((edge, place): [number, number][] => {
    const cells = counts[place + 1]!;
    return cells > 0 ? [[edge, cells]] : [];
  });
}

export function drawsNothing({ block }: Swath): boolean {
  return isEmptyBlock(block);
}
