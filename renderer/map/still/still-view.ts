// The types of what is painted by the processor: where the map is, and the frames.
import type { ColorFrame, IndexedFrame } from "../../frames/decoded-frame.ts";
import type { ScreenPlace } from "../../frames/screen/screen-geometry.ts";

/** The place of a map in its last repaint. */
export interface StillView extends ScreenPlace {
  /** Device pixels in a CSS pixel. */
  readonly pixelRatio: number;
}

/** A frame that can be painted. */
export type StillFrame = IndexedFrame | ColorPicture;

/** A color frame with the pixels of its tiles, which outlive their bitmaps. */
export interface ColorPicture extends ColorFrame {
  readonly pictures: readonly {
    readonly columnStart: number;
    readonly rowStart: number;
    readonly widthPx: number;
    readonly heightPx: number;
    /** Four bytes a cell, row-major, not multiplied by alpha. */
    readonly rgba: Uint8ClampedArray;
  }[];
}
