// Walks two frames on the same ground together, row by row, as runs of cells that have one class before and one after.
import type { CellBlock } from "../geo/grid.ts";
import { isEmptyBlock, unionBlocks } from "../geo/grid.ts";
import type { CellFrame } from "./cell-frame.ts";
import { CoverageRow } from "./coverage-row.ts";
import { RowCursor } from "./row-cursor.ts";

/**
 * Takes the cells from `columnStart` to `columnEnd - 1` of a row of the whole grid. `from` and `to` are class indices,
 * not both 0.
 * `isCompared` is false where one frame has no class because it does not cover the cells.
 */
export type TakeCells = (
  row: number,
  columnStart: number,
  columnEnd: number,
  from: number,
  to: number,
  isCompared: boolean,
) => void;

/**
 * Visits every cell of a block that has a class in one of the frames, from north to south and west to east. Requires
 * frames that `whyIncomparable` finds nothing against.
 */
export function visitPairs(before: CellFrame, after: CellFrame, block: CellBlock, take: TakeCells): void {
  const cells = before.cells ?? after.cells;
  if (!cells || isEmptyBlock(block)) return;
  const first = new RowCursor(before);
  const second = new RowCursor(after);
  const coveredBefore = new CoverageRow(before.coverage, cells);
  const coveredAfter = new CoverageRow(after.coverage, cells);
  const { rowStart, rowEnd, columnStart, columnEnd } = block;
  for (let row = rowStart; row < rowEnd; row++) {
    first.seek(row);
    second.seek(row);
    coveredBefore.seek(row);
    coveredAfter.seek(row);
    for (let column = columnStart; column < columnEnd;) {
      while (first.end <= column) first.next();
      while (second.end <= column) second.next();
      const end = Math.min(first.end, second.end, columnEnd);
      const from = first.value;
      const to = second.value;
      if (from > 0 && to > 0) take(row, column, end, from, to, true);
      else if (from > 0) takeByCoverage(row, column, end, from, 0, coveredAfter, take);
      else if (to > 0) takeByCoverage(row, column, end, 0, to, coveredBefore, take);
      column = end;
    }
  }
}

/** Splits a run by the coverage of the frame that has no class in it. */
function takeByCoverage(
  row: number,
  columnStart: number,
  columnEnd: number,
  from: number,
  to: number,
  coverage: CoverageRow,
  take: TakeCells,
): void {
  let start = columnStart;
  let isCovered = coverage.isCovered(start);
  for (let column = start + 1; column < columnEnd; column++) {
    if (coverage.isCovered(column) === isCovered) continue;
    take(row, start, column, from, to, isCovered);
    start = column;
    isCovered = !isCovered;
  }
  take(row, start, columnEnd, from, to, isCovered);
}

/** Returns the block of all cells that either frame shows. */
export function pairBlock(before: CellFrame, after: CellFrame): CellBlock {
  return unionBlocks(before.block, after.block);
}
