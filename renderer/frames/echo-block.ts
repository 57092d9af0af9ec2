// The block of a frame's cells that holds its echo, so that the map can show the storm instead of the whole grid.
import type { Bounds, FrameClasses } from "../../shared/contract/index.ts";
import { latitudeOfY, mercatorY } from "../../shared/geo/mercator.ts";
import type { GridBlock, IndexGrid, RawGrid, RunGrid } from "../../shared/frames/index-grid.ts";
import type { FrameExtent } from "../../shared/frames/frame-extent.ts";

/**
 * Weakest echo by unit. Less reflectivity is mostly clutter, and less hail mostly stray cells: both reach the edge of
 * the grid in every direction.
 */
const weakestEcho: Readonly<Record<string, number>> = { dBZ: 20, mm: 12.7 };

/**
 * Returns the smallest block with every cell of hail of ½ inch or more, or of reflectivity of 20 dBZ or more; if there
 * are none, with every drawn cell. Returns undefined if nothing is drawn.
 */
export function findEchoBlock(grid: IndexGrid, classes: FrameClasses | undefined): GridBlock | undefined {
  const strong = findBlockFrom(grid, toFirstEchoIndex(classes));
  return strong ?? findBlockFrom(grid, 1);
}

/** Returns the outer edges of a block of a picture. */
export function toBlockBounds({ bounds, widthPx, heightPx }: FrameExtent, block: GridBlock): Bounds {
  const [west, south, east, north] = bounds;
  const top = mercatorY(north);
  const perRow = (mercatorY(south) - top) / heightPx;
  const perColumn = (east - west) / widthPx;
  return [
    west + block.columnStart * perColumn,
    latitudeOfY(top + block.rowEnd * perRow),
    west + block.columnEnd * perColumn,
    latitudeOfY(top + block.rowStart * perRow),
  ];
}

function toFirstEchoIndex(classes: FrameClasses | undefined): number {
  const weakest = classes && weakestEcho[classes.unit];
  if (!classes || weakest === undefined) return 1;
  // Class k has index k + 1.
  return classes.edges.findIndex((edge) => edge >= weakest) + 1 || 1;
}

/** Returns the smallest block with every cell of at least this index. */
function findBlockFrom(grid: IndexGrid, first: number): GridBlock | undefined {
  let block: GridBlock | undefined;
  for (let row = 0; row < grid.heightPx; row++) {
    const span = grid.kind === "raw" ? findCellSpan(grid, row, first) : findRunSpan(grid, row, first);
    if (!span) continue;
    block = {
      rowStart: block?.rowStart ?? row,
      rowEnd: row + 1,
      columnStart: Math.min(block?.columnStart ?? span.start, span.start),
      columnEnd: Math.max(block?.columnEnd ?? span.end, span.end),
    };
  }
  return block;
}

/** Columns of a row, half open. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function findCellSpan({ indices, widthPx }: RawGrid, row: number, first: number): Span | undefined {
  const from = row * widthPx;
  const to = from + widthPx;
  let left = from;
  while (left < to && indices[left]! < first) left++;
  if (left === to) return undefined;
  let right = to - 1;
  while (indices[right]! < first) right--;
  return { start: left - from, end: right + 1 - from };
}

function findRunSpan({ rowStarts, ends, values }: RunGrid, row: number, first: number): Span | undefined {
  const from = rowStarts[row]!;
  const to = rowStarts[row + 1]!;
  let left = from;
  while (left < to && values[left]! < first) left++;
  if (left === to) return undefined;
  let right = to - 1;
  while (values[right]! < first) right--;
  return { start: left === from ? 0 : ends[left - 1]!, end: ends[right]! };
}
