// The marks and contours of a frame on a screen: how wide they are where a cell has a certain size. Pure.
import { markSizePx } from "../../shared/frames/marks.ts";
import { edgeWidthPx, outlineWidthPx } from "../../shared/frames/outlines.ts";
import { oneCell, type CellView } from "../frames/screen/screen-geometry.ts";
import type { StageItem } from "./storm-stage.ts";

/** Above every palette index. */
export const noClass = 256;

export interface FrameLook {
  /** The width of a mark in device pixels; 1 for none. */
  readonly markPx: number;
  /** The lowest classes inside the contours, and the width of their lines in device pixels, 0 for none. */
  readonly outline: readonly [first: number, second: number, linePx: number];
}

/** `pixelRatio` is that of device pixels to CSS pixels. */
export function toFrameLook(
  { markedFrom, outlined, coloring }: Pick<StageItem<unknown>, "markedFrom" | "outlined" | "coloring">,
  view: CellView,
  pixelRatio: number,
): FrameLook {
  const perPixel = cellsPerPixel(view);
  const isMarked = markedFrom !== undefined && perPixel > oneCell;
  const [first = noClass, second = noClass] = outlined;
  const widthPx = coloring.isEdged ? edgeWidthPx : outlineWidthPx(1 / (perPixel * pixelRatio));
  return {
    markPx: isMarked ? Math.max(markSizePx, Math.round(markSizePx * pixelRatio)) : 1,
    outline: [first, second, first === noClass ? 0 : Math.ceil(widthPx * pixelRatio)],
  };
}

/** Returns the cells in the width or height of a device pixel, whichever has more. */
export function cellsPerPixel({ perPixel }: CellView): number {
  return Math.max(...perPixel.map(Math.abs));
}
