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
  const counts = new Float64Array(kinds);
  const { edges } = before.classes;
  const cells = before.cells ?? after.cells;
  let rise = { classes: 0, row: 0, column: 0, from: 0, to: 0 };
  visitPairs(
    before,
    after,
    blockToMeasure(before, after, within),
    (row, columnStart, columnEnd, from, to, isCompared) => {
      const kind = isCompared ? kindOf(edges, threshold, from, to) : uncoveredKind;
      counts[kind]! += columnEnd - columnStart;
      if (to - from > rise.classes && (kind === upKind || kind === appearedKind)) {
        rise = { classes: to - from, row, column: columnStart, from, to };
      }
    },
  );
  const [up, down, appeared, vanished, kept, uncovered] = counts as unknown as Counts;
  const { classes, row, column } = rise;
  const to = toClassRange(after.classes, rise.to);
  const from = toClassRange(before.classes, rise.from);
  const biggestRise = cells && to && { classes, from, to, coordinate: cellCenter(cells, row, column) };
  return { cells: { up, down, appeared, vanished }, kept, uncovered, biggestRise };
}

function blockToMeasure(before: CellFrame, after: CellFrame, within: Bounds | undefined): CellBlock {
  const all = pairBlock(before, after);
  const cells = before.cells ?? after.cells;
  return within && cells ? intersectBlocks(all, blockWithin(cells, within)) : all;
}

/** Places of the counts: numbers, because every run of cells takes one. */
const upKind = 0;
const downKind = 1;
const appearedKind = 2;
const vanishedKind = 3;
const keptKind = 4;
const uncoveredKind = 5;
const kinds = 6;
type Counts = [up: number, down: number, appeared: number, vanished: number, kept: number, uncovered: number];

function kindOf(edges: readonly number[], threshold: number, from: number, to: number): number {
  if (from === 0) return appearedKind;
  if (to === 0) return vanishedKind;
  if (from === to || (threshold > 0 && Math.abs(edges[to - 1]! - edges[from - 1]!) < threshold))
    return keptKind;
  return to > from ? upKind : downKind;
}
