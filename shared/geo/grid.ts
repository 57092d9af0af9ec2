// A regular latitude-longitude grid by its exact outer edges, in whole microdegrees.
import type { Bounds } from "../contract/primitives.ts";

/** Cells are stored row-major, north row first, west column first. */
export interface LatLonGrid {
  readonly columns: number;
  readonly rows: number;
  /** Outer edges, in microdegrees; west is between -180_000_000 and 180_000_000. */
  readonly westUdeg: number;
  readonly northUdeg: number;
  /** Cell size, in microdegrees. */
  readonly spacingXUdeg: number;
  readonly spacingYUdeg: number;
}

/** A block of whole cells, half open: rows `rowStart … rowEnd - 1`, columns `columnStart … columnEnd - 1`. */
export interface CellBlock {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly columnStart: number;
  readonly columnEnd: number;
}

export function gridBounds(grid: LatLonGrid): Bounds {
  return blockBounds(grid, { rowStart: 0, rowEnd: grid.rows, columnStart: 0, columnEnd: grid.columns });
}

/** Returns the outer edges of a block of cells, `[west, south, east, north]` in degrees. */
export function blockBounds(grid: LatLonGrid, block: CellBlock): Bounds {
  return [
    (grid.westUdeg + block.columnStart * grid.spacingXUdeg) / 1e6,
    (grid.northUdeg - block.rowEnd * grid.spacingYUdeg) / 1e6,
    (grid.westUdeg + block.columnEnd * grid.spacingXUdeg) / 1e6,
    (grid.northUdeg - block.rowStart * grid.spacingYUdeg) / 1e6,
  ];
}

/**
 * Returns the cell at a point, to a microdegree; undefined outside the grid. A point on an edge belongs to the cell
 * south or east of it.
 */
export function findCell(
  grid: LatLonGrid,
  longitudeDeg: number,
  latitudeDeg: number,
): { row: number; column: number } | undefined {
  const column = Math.floor((Math.round(longitudeDeg * 1e6) - grid.westUdeg) / grid.spacingXUdeg);
  const row = Math.floor((grid.northUdeg - Math.round(latitudeDeg * 1e6)) / grid.spacingYUdeg);
  const inside = column >= 0 && column < grid.columns && row >= 0 && row < grid.rows;
  return inside ? { row, column } : undefined;
}

/** Returns the block that both hold; empty, with an end at its start, if they hold none. */
export function intersectBlocks(first: CellBlock, second: CellBlock): CellBlock {
  const rowStart = Math.max(first.rowStart, second.rowStart);
  const columnStart = Math.max(first.columnStart, second.columnStart);
  return {
    rowStart,
    rowEnd: Math.max(rowStart, Math.min(first.rowEnd, second.rowEnd)),
    columnStart,
    columnEnd: Math.max(columnStart, Math.min(first.columnEnd, second.columnEnd)),
  };
}

/** Returns the smallest block that holds both; an empty block adds nothing. */
export function unionBlocks(first: CellBlock, second: CellBlock): CellBlock {
  if (isEmptyBlock(first)) return second;
  if (isEmptyBlock(second)) return first;
  return {
    rowStart: Math.min(first.rowStart, second.rowStart),
    rowEnd: Math.max(first.rowEnd, second.rowEnd),
    columnStart: Math.min(first.columnStart, second.columnStart),
    columnEnd: Math.max(first.columnEnd, second.columnEnd),
  };
}

export function isEmptyBlock({ rowStart, rowEnd, columnStart, columnEnd }: CellBlock): boolean {
  return rowEnd <= rowStart || columnEnd <= columnStart;
}
