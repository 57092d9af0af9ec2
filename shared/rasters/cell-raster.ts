// A frame as a picture of its source cells: one pixel a cell, equal steps of longitude and latitude.
import type { CellFrame } from "../analysis/cell-frame.ts";
import type { FrameClasses } from "../contract/frame-metadata.ts";
import type { Bounds } from "../contract/primitives.ts";
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import { copyBlock } from "../frames/index-grid.ts";
import { blockBounds } from "../geo/grid.ts";

export interface CellRaster {
  readonly columns: number;
  readonly rows: number;
  /** Exact outer edges. */
  readonly bounds: Bounds;
  /** Palette indices, row-major from the northwest. */
  readonly indices: Uint8Array<ArrayBuffer>;
  /** 256 entries of red, green, blue, alpha, not premultiplied. */
  readonly palette: Uint8Array;
  readonly classes: FrameClasses;
  readonly coverage: CoverageGrid;
}

/** Returns the cells of a frame. One that draws nothing is one pixel over its bounds. */
export function toCellRaster(
  { grid, block, cells, pixelRows, classes, coverage }: CellFrame,
  { palette, bounds }: Pick<CellRaster, "palette" | "bounds">,
): CellRaster {
  const facts = { palette, classes, coverage };
  if (!cells) return { ...facts, columns: 1, rows: 1, bounds, indices: new Uint8Array(1) };
  const columns = block.columnEnd - block.columnStart;
  const indices = new Uint8Array(pixelRows.length * columns);
  pixelRows.forEach((pixelRow, row) => {
    const line = { rowStart: pixelRow, rowEnd: pixelRow + 1, columnStart: 0, columnEnd: columns };
    copyBlock(grid, line, indices.subarray(row * columns));
  });
  return { ...facts, columns, rows: pixelRows.length, bounds: blockBounds(cells, block), indices };
}
