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
