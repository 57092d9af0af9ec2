// The difference of two frames of a layer on the same ground: which cells went up, went down, appeared and vanished.
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import { intersectBlocks, type CellBlock } from "../geo/grid.ts";
import { blockWithin, cellCenter, toClassRange, type CellFrame, type ClassRange } from "./cell-frame.ts";
import { pairBlock, visitPairs } from "./changed-cells.ts";

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
  const counts = { up: 0, down: 0, appeared: 0, vanished: 0, kept: 0, uncovered: 0 };
  const { edges } = before.classes;
  const cells = before.cells ?? after.cells;
  let rise = { classes: 0, row: 0, column: 0, from: 0, to: 0 };
  visitPairs(
    before,
    after,
    blockToMeasure(before, after, within),
    (row, columnStart, columnEnd, from, to, isCompared) => {
      const kind = isCompared ? kindOf(edges, threshold, from, to) : "uncovered";
      counts[kind] += columnEnd - columnStart;
      if ((kind === "up" || kind === "appeared") && to - from > rise.classes) {
        rise = { classes: to - from, row, column: columnStart, from, to };
      }
    },
  );
  const { kept, uncovered, ...changes } = counts;
  const { classes, row, column } = rise;
  const to = toClassRange(after.classes, rise.to);
  const from = toClassRange(before.classes, rise.from);
  const biggestRise = cells && to && { classes, from, to, coordinate: cellCenter(cells, row, column) };
  return { cells: changes, kept, uncovered, biggestRise };
}

function blockToMeasure(before: CellFrame, after: CellFrame, within: Bounds | undefined): CellBlock {
  const all = pairBlock(before, after);
  const cells = before.cells ?? after.cells;
  return within && cells ? intersectBlocks(all, blockWithin(cells, within)) : all;
}

function kindOf(
  edges: readonly number[],
  threshold: number,
  from: number,
  to: number,
): keyof CellChanges | "kept" {
  if (from === 0) return "appeared";
  if (to === 0) return "vanished";
  if (from === to || Math.abs(edges[to - 1]! - edges[from - 1]!) < threshold) return "kept";
  return to > from ? "up" : "down";
}
