// A frame as cells of its source grid: which pixel row shows which row of cells, and where the crop lies in the whole
// grid. Two frames are compared cell by cell only through this.
import { maxFramePixels } from "../contract/frame-format.ts";
import type { FrameClasses } from "../contract/frame-metadata.ts";
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import type { FrameExtent } from "../frames/frame-extent.ts";
import type { IndexGrid } from "../frames/index-grid.ts";
import type { CellBlock, LatLonGrid } from "../geo/grid.ts";
import { countPixelRows, projectRows } from "../geo/project-rows.ts";

/** A decoded frame that says its classes and its radar coverage. */
export interface ClassFrame extends FrameExtent {
  /** heightPx rows of widthPx class indices; 0 is no class, k + 1 is class k. */
  readonly grid: IndexGrid;
  readonly classes: FrameClasses;
  readonly coverage: CoverageGrid;
}

/** Position of a picture in its source grid. */
export interface CellGround {
  /** The whole source grid, from the northwest corner of the coverage; undefined if the frame draws nothing. */
  readonly cells: LatLonGrid | undefined;
  /** The block of the whole grid that the picture shows; empty if the frame draws nothing. */
  readonly block: CellBlock;
  /** For each row of the block, the first pixel row that shows it. */
  readonly pixelRows: Int32Array;
}

export interface CellFrame extends CellGround {
  readonly classes: FrameClasses;
  readonly coverage: CoverageGrid;
  /** The class indices, in pixel rows. */
  readonly grid: IndexGrid;
}

/** A class as a range, `lower <= value < upper` in the layer's unit; `upper` is undefined for the open one. */
export interface ClassRange {
  readonly lower: number;
  readonly upper: number | undefined;
}

/** Returns the range of a class index from 1; undefined for 0, which is no class. */
export function toClassRange({ edges }: FrameClasses, index: number): ClassRange | undefined {
  const lower = edges[index - 1];
  return lower === undefined ? undefined : { lower, upper: edges[index] };
}

/** Returns undefined if the rows of the picture are not the projection of a regular grid. */
export function toCellFrame(frame: ClassFrame): CellFrame | undefined {
  const { grid, classes, coverage } = frame;
  const ground = isEmptyPicture(frame) ? emptyGround : toCellGround(frame, coverage);
  return ground && { classes, coverage, grid, ...ground };
}

/** The ground of a frame that draws nothing. */
export const emptyGround: CellGround = {
  cells: undefined,
  block: { rowStart: 0, rowEnd: 0, columnStart: 0, columnEnd: 0 },
  pixelRows: new Int32Array(0),
};

/**
 * Locates a picture that draws something. Returns undefined as `toCellFrame` does, and for a grid of more cells than
 * can be drawn.
 */
export function toCellGround(frame: FrameExtent, coverage: CoverageGrid): CellGround | undefined {
  const [west, south, east, north] = toMicrodegrees(frame.bounds);
  const [wholeWest, wholeSouth, wholeEast, wholeNorth] = toMicrodegrees(coverage.bounds);
  const spacingXUdeg = (east - west) / frame.widthPx;
  if (!Number.isInteger(spacingXUdeg) || spacingXUdeg <= 0 || south >= north) return undefined;
  const rows = findRowCount({ northUdeg: north, southUdeg: south, heightPx: frame.heightPx, spacingXUdeg });
  if (rows === undefined) return undefined;
  const spacingYUdeg = (north - south) / rows;
  const cells: LatLonGrid = {
    columns: Math.ceil((wholeEast - wholeWest) / spacingXUdeg),
    rows: Math.ceil((wholeNorth - wholeSouth) / spacingYUdeg),
    westUdeg: wholeWest,
    northUdeg: wholeNorth,
    spacingXUdeg,
    spacingYUdeg,
  };
  if (cells.rows * cells.columns > maxFramePixels) return undefined;
  const rowStart = (wholeNorth - north) / spacingYUdeg;
  const columnStart = (west - wholeWest) / spacingXUdeg;
  const block = { rowStart, rowEnd: rowStart + rows, columnStart, columnEnd: columnStart + frame.widthPx };
  return isBlockOf(cells, block) ? { cells, block, pixelRows: toPixelRows(cells, block) } : undefined;
}

/** Returns false for a block between the cells or outside them. */
function isBlockOf(
  { rows, columns }: LatLonGrid,
  { rowStart, rowEnd, columnStart, columnEnd }: CellBlock,
): boolean {
  const isOnCells = Number.isInteger(rowStart) && Number.isInteger(columnStart);
  return isOnCells && rowStart >= 0 && columnStart >= 0 && rowEnd <= rows && columnEnd <= columns;
}

/** A frame with nothing to draw is one transparent pixel over the whole grid. */
function isEmptyPicture({ widthPx, heightPx, grid }: ClassFrame): boolean {
  if (widthPx !== 1 || heightPx !== 1) return false;
  return (grid.kind === "raw" ? grid.indices : grid.values)[0] === 0;
}

function toMicrodegrees([west, south, east, north]: Bounds): Bounds {
  return [Math.round(west * 1e6), Math.round(south * 1e6), Math.round(east * 1e6), Math.round(north * 1e6)];
}

interface PixelRows {
  readonly northUdeg: number;
  readonly southUdeg: number;
  readonly heightPx: number;
  readonly spacingXUdeg: number;
}

/** Rows from pole to pole at 0.001°, a fifth of the finest grid: a picture of more is not searched for its cells. */
const mostRows = 180_000;

/**
 * Returns the number of cell rows that project to this many pixel rows. More rows always need more pixel rows, so there
 * is at most one such number. Most grids have square cells, so that one is tried first. Returns undefined for cells
 * lower than `mostRows` allows.
 */
function findRowCount({ northUdeg, southUdeg, heightPx, spacingXUdeg }: PixelRows): number | undefined {
  const height = northUdeg - southUdeg;
  const pixelRowsOf = (rows: number): number => countPixelRows(northUdeg, height / rows, rows);
  const isRight = (rows: number): boolean => height % rows === 0 && pixelRowsOf(rows) === heightPx;
  const square = height / spacingXUdeg;
  let low = 1;
  let high = Math.min(heightPx, mostRows);
  if (Number.isInteger(square) && square <= high && isRight(square)) return square;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pixelRowsOf(middle) < heightPx) low = middle + 1;
    else high = middle;
  }
  return isRight(low) ? low : undefined;
}

function toPixelRows(cells: LatLonGrid, block: CellBlock): Int32Array {
  const shown = projectRows(cells, block);
  const first = new Int32Array(block.rowEnd - block.rowStart);
  for (let pixel = shown.length - 1; pixel >= 0; pixel--) first[shown[pixel]! - block.rowStart] = pixel;
  return first;
}

/** Returns the center of a cell. */
export function cellCenter(cells: LatLonGrid, row: number, column: number): Coordinate {
  return [
    (cells.westUdeg + (column + 0.5) * cells.spacingXUdeg) / 1e6,
    (cells.northUdeg - (row + 0.5) * cells.spacingYUdeg) / 1e6,
  ];
}

/** Returns the block of cells whose centers lie inside the bounds. */
export function blockWithin(cells: LatLonGrid, bounds: Bounds): CellBlock {
  const [west, south, east, north] = toMicrodegrees(bounds);
  const toColumn = (udeg: number): number => Math.ceil((udeg - cells.westUdeg) / cells.spacingXUdeg - 0.5);
  const toRow = (udeg: number): number => Math.ceil((cells.northUdeg - udeg) / cells.spacingYUdeg - 0.5);
  const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  return {
    rowStart: clamp(toRow(north), cells.rows),
    rowEnd: clamp(toRow(south), cells.rows),
    columnStart: clamp(toColumn(west), cells.columns),
    columnEnd: clamp(toColumn(east), cells.columns),
  };
}
