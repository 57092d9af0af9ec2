// The difference of two frames of a layer on the same ground: which cells went up, went down, appeared and vanished.
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import { intersectBlocks, isEmptyBlock, type CellBlock } from "../geo/grid.ts";
import { blockWithin, cellCenter, toClassRange, type CellFrame, type ClassRange } from "./cell-frame.ts";
import { indexAfter, indexBefore, isCompared, pairBlock, pairKeys, PairRow } from "./changed-cells.ts";

/** Numbers of cells of the source grid, each counted once in one of them. */
export interface CellChanges {
  readonly up: number;
  readonly down: number;
  /** Without a class before, although inside coverage. */
  readonly appeared: number;
  /** Without a class after, although inside coverage. */
  readonly vanished: number;
}

export interface Difference {
  readonly cells: CellChanges;
  /** Cells with a class in both frames whose change is below the threshold, or that did not change. */
  readonly kept: number;
  /** Cells with a class in one frame that the other does not cover: neither appeared nor vanished. */
  readonly uncovered: number;
  /** Undefined if no cell rose. */
  readonly biggestRise: BiggestRise | undefined;
}

export interface BiggestRise {
  /** Number of classes. */
  readonly classes: number;
  /** Undefined if the cell had no class before. */
  readonly from: ClassRange | undefined;
  readonly to: ClassRange;
  /** The center of the cell: of several, the northernmost, then the westernmost. */
  readonly coordinate: Coordinate;
}

export interface DifferenceOptions {
  /** Counts the cells with their centers inside; undefined counts all. */
  readonly within?: Bounds | undefined;
  /** Least change of a cell's lower edge, in the layer's unit, for it to count as up or down. */
  readonly threshold?: number | undefined;
}

/** Requires frames that `whyIncomparable` finds nothing against. */
export function measureDifference(
  before: CellFrame,
  after: CellFrame,
  { within, threshold = 0 }: DifferenceOptions = {},
): Difference {
  const { edges } = before.classes;
  const cells = before.cells ?? after.cells;
  const block = blockToMeasure(before, after, within);
  const counts = { up: 0, down: 0, appeared: 0, vanished: 0, kept: 0, uncovered: 0 };
  if (!cells || isEmptyBlock(block)) return toDifference(counts, undefined);
  const toKind = (key: number): keyof typeof counts =>
    isCompared(key) ? kindOf(edges, threshold, indexBefore(key), indexAfter(key)) : "uncovered";
  const pairs = new PairRow(before, after, cells, block);
  const { keys, ends } = pairs;
  const cellsOf = new Int32Array(pairKeys);
  let rise = { classes: 0, row: 0, column: 0, key: 0 };
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    const runs = pairs.seek(row);
    let column = block.columnStart;
    for (let run = 0; run < runs; run++) {
      const key = keys[run]!;
      const end = ends[run]!;
      cellsOf[key]! += end - column;
      const classes = indexAfter(key) - indexBefore(key);
      if (classes > rise.classes && ["up", "appeared"].includes(toKind(key)))
        rise = { classes, row, column, key };
      column = end;
    }
  }
  for (let key = 0; key < pairKeys; key++) {
    if (cellsOf[key]! > 0 && (key & 0xffff) > 0) counts[toKind(key)] += cellsOf[key]!;
  }
  const to = toClassRange(after.classes, indexAfter(rise.key));
  const from = toClassRange(before.classes, indexBefore(rise.key));
  const coordinate = cellCenter(cells, rise.row, rise.column);
  return toDifference(counts, to && { classes: rise.classes, from, to, coordinate });
}

type Counts = CellChanges & Pick<Difference, "kept" | "uncovered">;

function toDifference(
  { kept, uncovered, ...cells }: Counts,
  biggestRise: BiggestRise | undefined,
): Difference {
  return { cells, kept, uncovered, biggestRise };
}

function blockToMeasure(before: CellFrame, after: CellFrame, within: Bounds | undefined): CellBlock {
  const all = pairBlock(before, after);
  const cells = before.cells ?? after.cells;
  return within && cells ? intersectBlocks(all, blockWithin(cells, within)) : all;
}

function kindOf(edges: readonly number[], threshold: number, from: number, to: number): keyof Counts {
  if (from === 0) return "appeared";
  if (to === 0) return "vanished";
  if (from === to || (threshold > 0 && Math.abs(edges[to - 1]! - edges[from - 1]!) < threshold))
    return "kept";
  return to > from ? "up" : "down";
}
