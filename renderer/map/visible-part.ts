// Computes where a block of a frame's cells lands on the screen, in doubles: the GPU's 32-bit floats then count only
// the cells in view. Pure geometry: unit-square Mercator in, clip space and cells out.
import type { Bounds } from "../../shared/contract/index.ts";
import { mercatorX, mercatorY } from "../../shared/geo/mercator.ts";
import type { GridBlock } from "./index-grid.ts";

/**
 * Transform from the Mercator unit square to clip space, without rotation or tilt: `clip = scale * mercator +
 * offset`.
 */
export interface ClipTransform {
  readonly scaleX: number;
  readonly offsetX: number;
  readonly scaleY: number;
  readonly offsetY: number;
}

/** The visible part of a block. */
export interface VisiblePart {
  /** `[left, top, right, bottom]` in clip space. */
  readonly clip: readonly [number, number, number, number];
  /** Whole cells to add to `cells`, counted from the block's northwest corner. */
  readonly base: readonly [column: number, row: number];
  /** `[left, top, right, bottom]` in cells, counted from `base`. */
  readonly cells: readonly [number, number, number, number];
  /** Cells in one unit of clip space, across and down. */
  readonly cellsPerClip: readonly [number, number];
}

/** Cells per pixel up to which a pixel shows the cell at its center. The excess over 1 is for rounding. */
export const oneCell = 1.001;

/** A visible part on a screen of device pixels. */
export interface PixelPart extends Omit<VisiblePart, "cellsPerClip"> {
  /** Cells in one pixel, across and down. */
  readonly perPixel: readonly [number, number];
}

export interface FrameExtent {
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Reads the transform from MapLibre's matrix for custom layers (column-major, unit square to clip space).
 * Without rotation and tilt, w is constant.
 */
export function toClipTransform(matrix: ArrayLike<number>): ClipTransform {
  const w = matrix[15]!;
  return {
    scaleX: matrix[0]! / w,
    offsetX: matrix[12]! / w,
    scaleY: matrix[5]! / w,
    offsetY: matrix[13]! / w,
  };
}

/** Returns undefined if nothing of the block is in view. */
export function findVisiblePart(
  extent: FrameExtent,
  block: GridBlock,
  transform: ClipTransform,
): VisiblePart | undefined {
  const { across, down } = toAxes(extent, transform);
  const columns = clipAxis(across, block.columnStart, block.columnEnd);
  const rows = clipAxis(down, block.rowStart, block.rowEnd);
  if (!columns || !rows) return undefined;
  return {
    clip: [columns.clipFrom, rows.clipFrom, columns.clipTo, rows.clipTo],
    base: [columns.base - block.columnStart, rows.base - block.rowStart],
    cells: [
      columns.from - columns.base,
      rows.from - rows.base,
      columns.to - columns.base,
      rows.to - rows.base,
    ],
    cellsPerClip: [Math.abs(1 / across.perCell), Math.abs(1 / down.perCell)],
  };
}

/** Returns the whole view in cells of a picture, also beyond its edges; the clip rectangle is all of clip space. */
export function findViewInCells(extent: FrameExtent, transform: ClipTransform): VisiblePart {
  const { across, down } = toAxes(extent, transform);
  const left = (-1 - across.atZero) / across.perCell;
  const right = (1 - across.atZero) / across.perCell;
  const top = (1 - down.atZero) / down.perCell;
  const bottom = (-1 - down.atZero) / down.perCell;
  const base = [Math.floor(left), Math.floor(top)] as const;
  return {
    clip: [-1, 1, 1, -1],
    base,
    cells: [left - base[0], top - base[1], right - base[0], bottom - base[1]],
    cellsPerClip: [Math.abs(1 / across.perCell), Math.abs(1 / down.perCell)],
  };
}

/**
 * Returns a part for the pixels of a screen. With `gathers` false, each pixel is to show the cell at its center, and
 * counts as a cell. Otherwise, where a pixel is larger than a cell, the part also covers the pixels whose centers it
 * misses by less than half a pixel: they contain cells of it.
 */
export function toPixelPart(
  { clip, base, cells, cellsPerClip }: VisiblePart,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  gathers: boolean,
): PixelPart {
  if (!gathers) return { clip, base, cells, perPixel: [1, 1] };
  const clipPerPixel = [2 / widthPx, 2 / heightPx] as const;
  const perPixel = [cellsPerClip[0] * clipPerPixel[0], cellsPerClip[1] * clipPerPixel[1]] as const;
  const [marginX, marginY] = [perPixel[0] > oneCell ? 0.5 : 0, perPixel[1] > oneCell ? 0.5 : 0];
  const [clipX, clipY] = [marginX * clipPerPixel[0], marginY * clipPerPixel[1]];
  const [cellsX, cellsY] = [marginX * perPixel[0], marginY * perPixel[1]];
  return {
    clip: [clip[0] - clipX, clip[1] + clipY, clip[2] + clipX, clip[3] - clipY],
    base,
    cells: [cells[0] - cellsX, cells[1] - cellsY, cells[2] + cellsX, cells[3] + cellsY],
    perPixel,
  };
}

function toAxes(
  { bounds, widthPx, heightPx }: FrameExtent,
  transform: ClipTransform,
): { across: Axis; down: Axis } {
  const [west, south, east, north] = bounds;
  return {
    across: toAxis(mercatorX(west), mercatorX(east), widthPx, transform.scaleX, transform.offsetX),
    down: toAxis(mercatorY(north), mercatorY(south), heightPx, transform.scaleY, transform.offsetY),
  };
}

/** Transform from cells to clip space along one axis: `clip = perCell * cell + atZero`. */
interface Axis {
  readonly perCell: number;
  readonly atZero: number;
}

function toAxis(start: number, end: number, cells: number, scale: number, offset: number): Axis {
  return { perCell: ((end - start) / cells) * scale, atZero: start * scale + offset };
}

interface AxisPart {
  readonly clipFrom: number;
  readonly clipTo: number;
  readonly from: number;
  readonly to: number;
  readonly base: number;
}

function clipAxis({ perCell, atZero }: Axis, start: number, end: number): AxisPart | undefined {
  const one = (-1 - atZero) / perCell;
  const other = (1 - atZero) / perCell;
  const from = Math.max(start, Math.min(one, other));
  const to = Math.min(end, Math.max(one, other));
  if (!(from < to)) return undefined;
  return {
    clipFrom: perCell * from + atZero,
    clipTo: perCell * to + atZero,
    from,
    to,
    base: Math.floor(from),
  };
}
