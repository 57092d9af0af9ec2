// Projects grid rows to rows of Web Mercator pixels. Columns stay the same, as longitude is linear in both.
import type { CellBlock, LatLonGrid } from "../../../shared/geo/grid.ts";
import { mercatorY } from "../../../shared/geo/mercator.ts";

/**
 * Returns, for each pixel row from the north, the grid row under its center. Pixel rows divide the block's Web Mercator
 * height evenly and are no higher than its lowest cell row, so every row of the block has at least one.
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
