// Where the cells of a picture lie on the screen, in doubles: the GPU's 32-bit floats then count only the cells in
// view. Pure geometry: unit-square Mercator in, device pixels and cells out.
import type { FrameExtent } from "../../../shared/frames/frame-extent.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";

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

/** A screen in device pixels. */
export interface Screen {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The place of a map on a screen. */
export interface ScreenPlace {
  readonly transform: ClipTransform;
  readonly screen: Screen;
}

/** Cells per pixel up to which a pixel shows the cell at its center. The excess is rounding, and loses no cell. */
export const oneCell = 1.00001;

/** Exceeds the rounding of a place on the GPU, in cells: a center between two pixels counts for both, not for none. */
export const centerSlack = 0.004;

/**
 * The cells of a picture under a screen's pixels, as the shaders count them: the point `[x, y]` in device pixels from
 * the lower left is `base + origin + [x, y] * perPixel` in cells from the northwest.
 */
export interface CellView {
  /** Whole cells. */
  readonly base: readonly [column: number, row: number];
  readonly origin: readonly [number, number];
  /** The second is negative: rows count downward. */
  readonly perPixel: readonly [number, number];
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

export function isSamePlace(a: ScreenPlace, b: ScreenPlace): boolean {
  const toNumbers = ({ transform, screen }: ScreenPlace): number[] => [
    ...[transform.scaleX, transform.offsetX, transform.scaleY, transform.offsetY],
    ...[screen.widthPx, screen.heightPx],
  ];
  const others = toNumbers(b);
  return toNumbers(a).every((number, index) => number === others[index]);
}

export function findCellView(
  { bounds: [west, south, east, north], widthPx, heightPx }: FrameExtent,
  transform: ClipTransform,
  screen: Screen,
): CellView {
  const across = toAxis(mercatorX(west), mercatorX(east), widthPx, transform.scaleX, transform.offsetX);
  const down = toAxis(mercatorY(north), mercatorY(south), heightPx, transform.scaleY, transform.offsetY);
  const [left, bottom] = [across.cellAt(-1), down.cellAt(-1)];
  const base = [Math.floor(left), Math.floor(bottom)] as const;
  return {
    base,
    origin: [left - base[0], bottom - base[1]],
    perPixel: [(2 * across.perClip) / screen.widthPx, (2 * down.perClip) / screen.heightPx],
  };
}

/** One axis of a picture. */
interface Axis {
  /** Cells in one unit of clip space. */
  readonly perClip: number;
  readonly cellAt: (clip: number) => number;
}

function toAxis(start: number, end: number, cells: number, scale: number, offset: number): Axis {
  const perClip = cells / ((end - start) * scale);
  return { perClip, cellAt: (clip) => (clip - (start * scale + offset)) * perClip };
}
