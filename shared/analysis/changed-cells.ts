// Walks two frames on the same ground together, row by row, as runs of cells that have one class before and one after.
import { unionBlocks, type CellBlock, type LatLonGrid } from "../geo/grid.ts";
import type { CellFrame } from "./cell-frame.ts";
import { coveredAfter, coveredBefore, CoveragePair } from "./coverage-pair.ts";
import { RowRuns } from "./row-runs.ts";

/** Number of different keys of `PairRow`. */
export const pairKeys = 1 << 18;

/** Class index of a key before. */
export function indexBefore(key: number): number {
  return (key >> 8) & 0xff;
}

/** Class index of a key after. */
export function indexAfter(key: number): number {
  return key & 0xff;
}

/** Returns false where one frame has no class because it does not cover the cells. */
export function isCompared(key: number): boolean {
  const coverage = key >> 16;
  return (
    (indexBefore(key) > 0 || (coverage & coveredBefore) !== 0) &&
    (indexAfter(key) > 0 || (coverage & coveredAfter) !== 0)
  );
}

/** One row of a block of cells. Requires frames that `whyIncomparable` finds nothing against. */
export class PairRow {
  /** The column of the whole grid after the last cell of each run. */
  readonly ends: Int32Array;
  /** The classes and the coverage of each run. */
  readonly keys: Int32Array;
  readonly #block: CellBlock;
  readonly #before: RowRuns;
  readonly #after: RowRuns;
  readonly #coverage: CoveragePair;

  constructor(before: CellFrame, after: CellFrame, cells: LatLonGrid, block: CellBlock) {
    this.ends = new Int32Array(block.columnEnd - block.columnStart);
    this.keys = new Int32Array(block.columnEnd - block.columnStart);
    this.#block = block;
    this.#before = new RowRuns(before);
    this.#after = new RowRuns(after);
    this.#coverage = new CoveragePair(before.coverage, after.coverage, cells);
  }

  /** Goes to a row of the whole grid, which must be in the block. Returns the number of its runs. */
  seek(row: number): number {
    this.#before.seek(row);
    this.#after.seek(row);
    this.#coverage.seek(row);
    const { columnStart, columnEnd } = this.#block;
    const { ends, keys } = this;
    const { ends: beforeEnds, values: beforeValues } = this.#before;
    const { ends: afterEnds, values: afterValues } = this.#after;
    const { ends: coverageEnds, values: coverageValues } = this.#coverage;
    let [before, after, coverage, runs] = [0, 0, 0, 0];
    while (beforeEnds[before]! <= columnStart) before++;
    while (afterEnds[after]! <= columnStart) after++;
    while (coverageEnds[coverage]! <= columnStart) coverage++;
    // Without conditions, which cost more than the rest: a run that ends here gives way to the next one.
    for (let end = columnStart; end < columnEnd; runs++) {
      const beforeEnd = beforeEnds[before]!;
      const afterEnd = afterEnds[after]!;
      const coverageEnd = coverageEnds[coverage]!;
      end = lower(lower(beforeEnd, afterEnd), lower(coverageEnd, columnEnd));
      ends[runs] = end;
      keys[runs] = (coverageValues[coverage]! << 16) | (beforeValues[before]! << 8) | afterValues[after]!;
      before += (beforeEnd - end - 1) >>> 31;
      after += (afterEnd - end - 1) >>> 31;
      coverage += (coverageEnd - end - 1) >>> 31;
    }
    return runs;
  }
}

function lower(first: number, second: number): number {
  const difference = second - first;
  return first + (difference & (difference >> 31));
}

/** Returns the block of all cells that either frame shows. */
export function pairBlock(before: CellFrame, after: CellFrame): CellBlock {
  return unionBlocks(before.block, after.block);
}
