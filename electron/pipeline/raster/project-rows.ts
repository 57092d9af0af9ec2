// From rows of equal latitude to rows of Web Mercator pixels. Columns stay as they are: longitude is linear in both.
import type { CellBlock, LatLonGrid } from "../../../shared/geo/grid.ts";
import { mercatorY } from "../../../shared/geo/mercator.ts";

/**
 * For each pixel row from the north, the grid row that its centre lies in. Pixel rows divide the block's height in Web
 * Mercator evenly and are no higher than the lowest of its cell rows, so every row of the block has at least one.
 */
export function projectRows(grid: LatLonGrid, { rowStart, rowEnd }: CellBlock): Int32Array {
  const edges = new Float64Array(rowEnd - rowStart + 1);
  for (let edge = 0; edge < edges.length; edge++) {
    edges[edge] = mercatorY((grid.northUdeg - (rowStart + edge) * grid.spacingYUdeg) / 1e6);
  }
  let lowest = Infinity;
  for (let row = 0; row + 1 < edges.length; row++) lowest = Math.min(lowest, edges[row + 1]! - edges[row]!);
  const top = edges[0]!;
  const height = edges[edges.length - 1]! - top;
  const heightPx = Math.ceil(height / lowest);
  const rows = new Int32Array(heightPx);
  let row = 0;
  let shown = 0;
  for (let pixel = 0; pixel < heightPx; pixel++) {
    const centre = top + ((pixel + 0.5) / heightPx) * height;
    const before = row;
    while (row + 2 < edges.length && edges[row + 1]! <= centre) row++;
    if (pixel === 0 || row !== before) shown++;
    rows[pixel] = rowStart + row;
  }
  if (shown !== rowEnd - rowStart) {
    throw new Error(`Projection shows ${shown} of ${rowEnd - rowStart} rows of the grid.`);
  }
  return rows;
}
