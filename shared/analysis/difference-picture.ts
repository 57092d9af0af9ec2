// The picture of a difference: for each cell the kind and the size of its change, as an index. A higher index is a
// larger change, so that none is lost where a pixel covers many cells.
import { indexAfter, indexBefore, isCompared, pairBlock, PairRow } from "./changed-cells.ts";
import type { CellFrame } from "./cell-frame.ts";

/**
 * Lower edges of the steps of size, by the unit of the layer. A change smaller than the second, third or fourth can be
 * hidden.
 */
export const changeSteps: Readonly<Record<string, readonly [number, number, number, number]>> = {
  dBZ: [0, 2.5, 5, 10],
  mm: [0, 3.175, 6.35, 12.7],
};

/** Meaning of an index of the picture. Index 0 is no change. */
export type ChangeMark =
  | { readonly kind: "down" | "up"; readonly step: number }
  /** Two indices for each, so that the cells make a pattern. */
  | { readonly kind: "appeared" | "vanished"; readonly isAccent: boolean };

export const changeMarks: readonly (ChangeMark | undefined)[] = [
  undefined,
  ...[0, 1, 2, 3].flatMap((step): ChangeMark[] => [
    { kind: "down", step },
    { kind: "up", step },
  ]),
  { kind: "vanished", isAccent: false },
  { kind: "vanished", isAccent: true },
  { kind: "appeared", isAccent: false },
  { kind: "appeared", isAccent: true },
];

const vanishedIndex = 9;
const appearedIndex = 11;

/**
 * Draws a difference row by row, from north to south over the rows of `pairBlock`. `takeRow` gets one index for each
 * column of the block, in an array that is used again.
 */
export function drawDifference(
  before: CellFrame,
  after: CellFrame,
  takeRow: (row: number, indices: Uint8Array) => void,
): void {
  const block = pairBlock(before, after);
  const cells = before.cells ?? after.cells;
  if (!cells) return;
  const pairs = new PairRow(before, after, cells, block);
  const line = new Uint8Array(block.columnEnd - block.columnStart);
  const { edges, unit } = before.classes;
  const steps = changeSteps[unit] ?? [0, Infinity, Infinity, Infinity];
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    line.fill(0);
    const runs = pairs.seek(row);
    let start = block.columnStart;
    for (let run = 0; run < runs; run++) {
      const key = pairs.keys[run]!;
      const end = pairs.ends[run]!;
      const [from, to] = [indexBefore(key), indexAfter(key)];
      if (from !== to && isCompared(key)) {
        for (let column = start; column < end; column++) {
          line[column - block.columnStart] =
            from === 0
              ? appearedIndex + Number((row + column) % 2 === 0)
              : to === 0
                ? vanishedIndex + Number((row + column) % 4 < 2)
                : toMovedIndex(edges, steps, from, to);
        }
      }
      start = end;
    }
    takeRow(row, line);
  }
}

function toMovedIndex(edges: readonly number[], steps: readonly number[], from: number, to: number): number {
  const size = Math.abs(edges[to - 1]! - edges[from - 1]!);
  const step = steps.findLastIndex((least) => size >= least);
  return 1 + step * 2 + Number(to > from);
}
