// The parts of the screen where a picture has something to draw. Most of a frame is empty, and so is most of the
// screen: skipping it makes a step several times as fast where the processor draws. Pure.
import type { IndexGrid } from "../../shared/frames/index-grid.ts";
import { cellsOfLevel, coarsestLevel } from "../frames/index-pyramid.ts";
import type { CellView, Screen } from "../frames/screen/screen-geometry.ts";

/** Width and height of a block of cells. */
const blockCells = 64;
/** Width and height of a block of device pixels. */
const blockPx = 32;

/** The blocks of a picture that have a class. */
export interface OccupiedBlocks {
  readonly columns: number;
  readonly rows: number;
  /** One value a block, row-major from the northwest: 1 if any of its cells has a class. */
  readonly blocks: Uint8Array;
}

/** A rectangle of the screen in device pixels from the lower left. */
export interface PixelBlock {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the occupied blocks of a picture, from its coarsest level. */
export function findOccupied(coarsest: IndexGrid): OccupiedBlocks {
  const shift = Math.log2(blockCells) - coarsestLevel;
  const [columns, rows] = [cellsOfLevel(coarsest.widthPx, shift), cellsOfLevel(coarsest.heightPx, shift)];
  const blocks = new Uint8Array(columns * rows);
  visitRuns(coarsest, (row, from, to) => {
    const at = (row >> shift) * columns;
    blocks.fill(1, at + (from >> shift), at + ((to - 1) >> shift) + 1);
  });
  return { columns, rows, blocks };
}

/** Calls `visit` with each run of cells that have a class. */
function visitRuns(grid: IndexGrid, visit: (row: number, from: number, to: number) => void): void {
  for (let row = 0; row < grid.heightPx; row++) {
    if (grid.kind === "raw") {
      for (let column = 0; column < grid.widthPx; column++) {
        if (grid.indices[row * grid.widthPx + column] !== 0) visit(row, column, column + 1);
      }
      continue;
    }
    let from = 0;
    for (let run = grid.rowStarts[row]!; run < grid.rowStarts[row + 1]!; run++) {
      const to = grid.ends[run]!;
      if (grid.values[run] !== 0) visit(row, from, to);
      from = to;
    }
  }
}

export function wholeScreen({ widthPx, heightPx }: Screen): PixelBlock[] {
  return [{ left: 0, bottom: 0, right: widthPx, top: heightPx }];
}

/**
 * Returns the parts of the screen that show an occupied block, or lie within `marginPx` of one. They do not overlap.
 */
export function findScreenBlocks(
  { columns, rows, blocks }: OccupiedBlocks,
  { base, origin, perPixel }: CellView,
  screen: Screen,
  marginPx: number,
): PixelBlock[] {
  const across = toPixelRanges(columns, {
    start: base[0] + origin[0],
    perPixel: perPixel[0],
    screenPx: screen.widthPx,
    marginPx,
  });
  const down = toPixelRanges(rows, {
    start: base[1] + origin[1],
    perPixel: perPixel[1],
    screenPx: screen.heightPx,
    marginPx,
  });
  const width = Math.ceil(screen.widthPx / blockPx);
  const shown = new Uint8Array(width * Math.ceil(screen.heightPx / blockPx));
  for (let row = 0; row < rows; row++) {
    const [bottom, top] = down[row]!;
    if (top <= bottom) continue;
    for (let column = 0; column < columns; column++) {
      const [left, right] = across[column]!;
      if (right <= left || blocks[row * columns + column] === 0) continue;
      for (let y = bottom; y < top; y++) shown.fill(1, y * width + left, y * width + right);
    }
  }
  return mergeRows(shown, width, screen);
}

interface ScreenAxis {
  /** The cell at the first pixel's edge. */
  readonly start: number;
  readonly perPixel: number;
  readonly screenPx: number;
  readonly marginPx: number;
}

/** Returns the screen's blocks, half open, that each block of cells touches along an axis. */
function toPixelRanges(
  count: number,
  { start, perPixel, screenPx, marginPx }: ScreenAxis,
): (readonly [from: number, to: number])[] {
  const last = Math.ceil(screenPx / blockPx);
  const within = (block: number): number => Math.min(last, Math.max(0, block));
  return Array.from({ length: count }, (_, block) => {
    const ends = [block, block + 1].map((at) => (at * blockCells - start) / perPixel);
    const from = Math.floor((Math.min(...ends) - marginPx) / blockPx);
    const to = Math.ceil((Math.max(...ends) + marginPx) / blockPx);
    return [within(from), within(to)];
  });
}

/** Joins neighbors of a row. */
function mergeRows(shown: Uint8Array, width: number, screen: Screen): PixelBlock[] {
  const merged: PixelBlock[] = [];
  for (let at = 0; at < shown.length; at++) {
    if (shown[at] === 0) continue;
    const [column, row] = [at % width, Math.floor(at / width)];
    let end = column + 1;
    while (end < width && shown[at + end - column] === 1) end += 1;
    merged.push({
      left: column * blockPx,
      bottom: row * blockPx,
      right: Math.min(end * blockPx, screen.widthPx),
      top: Math.min((row + 1) * blockPx, screen.heightPx),
    });
    at += end - column - 1;
  }
  return merged;
}
