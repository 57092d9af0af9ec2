// Frames for tests, made from a plane of cells as publication makes them.
import { classEdges } from "../../products/product.ts";
import { reflectivity } from "../../products/reflectivity.ts";
import { IndexGridBuilder } from "../../frames/index-grid.ts";
import { setCovered, type CoverageGrid } from "../../frames/coverage-grid.ts";
import { blockBounds, gridBounds, isEmptyBlock, type CellBlock, type LatLonGrid } from "../../geo/grid.ts";
import { projectRows } from "../../geo/project-rows.ts";
import type { ClassFrame } from "../cell-frame.ts";

/** A whole grid of class indices, row-major from the northwest, and of coverage. */
export interface CellPlane {
  readonly grid: LatLonGrid;
  readonly indices: Uint8Array;
  /** True for each covered cell. */
  readonly covered: readonly boolean[];
}

/** Returns the frame of a plane, cropped to what it draws. Each cell of coverage is one cell of the grid. */
export function toClassFrame({ grid, indices, covered }: CellPlane): ClassFrame {
  const { product, unit } = { product: reflectivity.id, unit: reflectivity.unit };
  const classes = { product, unit, edges: classEdges(reflectivity) };
  const bits = new Uint8Array(Math.ceil(covered.length / 8));
  covered.forEach((isCovered, cell) => {
    if (isCovered) setCovered(bits, cell);
  });
  const coverage: CoverageGrid = { bounds: gridBounds(grid), width: grid.columns, height: grid.rows, bits };
  const block = findDrawnBlock(grid, indices);
  if (isEmptyBlock(block)) {
    const blank = new IndexGridBuilder(1, 1);
    blank.addRow(new Uint8Array(1));
    return { bounds: gridBounds(grid), widthPx: 1, heightPx: 1, grid: blank.finish(), classes, coverage };
  }
  const rows = projectRows(grid, block);
  const widthPx = block.columnEnd - block.columnStart;
  const builder = new IndexGridBuilder(widthPx, rows.length);
  for (const row of rows) {
    builder.addRow(
      indices.subarray(row * grid.columns + block.columnStart, row * grid.columns + block.columnEnd),
    );
  }
  const bounds = blockBounds(grid, block);
  return { bounds, widthPx, heightPx: rows.length, grid: builder.finish(), classes, coverage };
}

function findDrawnBlock({ columns }: LatLonGrid, indices: Uint8Array): CellBlock {
  const drawn = [...indices.keys()].filter((cell) => indices[cell]! > 0);
  const rows = drawn.map((cell) => Math.floor(cell / columns));
  const across = drawn.map((cell) => cell % columns);
  if (drawn.length === 0) return { rowStart: 0, rowEnd: 0, columnStart: 0, columnEnd: 0 };
  return {
    rowStart: Math.min(...rows),
    rowEnd: Math.max(...rows) + 1,
    columnStart: Math.min(...across),
    columnEnd: Math.max(...across) + 1,
  };
}
