// Projects grid rows to rows of Web Mercator pixels. Columns stay the same, as longitude is linear in both.
import type { CellBlock, LatLonGrid } from "./grid.ts";
import { mercatorY } from "./mercator.ts";

/**
 * Returns, for each pixel row from the north, the grid row under its center. Pixel rows divide the block's Web Mercator
 * height evenly and are no higher than its lowest cell row, so every row of the block has at least one.
 */
export function projectRows(grid: LatLonGrid, { rowStart, rowEnd }: CellBlock): Int32Array {
  const edges = toRowEdges(
    grid.northUdeg - rowStart * grid.spacingYUdeg,
    grid.spacingYUdeg,
    rowEnd - rowStart,
  );
  const top = edges[0]!;
  const height = edges[edges.length - 1]! - top;
  const heightPx = toHeightPx(edges);
  const rows = new Int32Array(heightPx);
  let row = 0;
  let shown = 0;
  for (let pixel = 0; pixel < heightPx; pixel++) {
    const center = top + ((pixel + 0.5) / heightPx) * height;
    const before = row;
    while (row + 2 < edges.length && edges[row + 1]! <= center) row++;
    if (pixel === 0 || row !== before) shown++;
    rows[pixel] = rowStart + row;
  }
  if (shown !== rowEnd - rowStart) {
    throw new Error(`Projection shows ${shown} of ${rowEnd - rowStart} rows of the grid.`);
  }
  return rows;
}

/** Returns the number of pixel rows that `projectRows` gives a block of `rows` grid rows with this northern edge. */
export function countPixelRows(northUdeg: number, spacingYUdeg: number, rows: number): number {
  return toHeightPx(toRowEdges(northUdeg, spacingYUdeg, rows));
}

/** Returns the Web Mercator y of the edges of grid rows, from the north: rows + 1 values. */
function toRowEdges(northUdeg: number, spacingYUdeg: number, rows: number): Float64Array {
  const edges = new Float64Array(rows + 1);
  for (let edge = 0; edge < edges.length; edge++) {
    edges[edge] = mercatorY((northUdeg - edge * spacingYUdeg) / 1e6);
  }
  return edges;
}

/** Returns the least number of equal pixel rows that are no higher than the lowest row between two edges. */
function toHeightPx(edges: Float64Array): number {
  let lowest = Infinity;
  for (let row = 0; row + 1 < edges.length; row++) lowest = Math.min(lowest, edges[row + 1]! - edges[row]!);
  return Math.ceil((edges[edges.length - 1]! - edges[0]!) / lowest);
}
