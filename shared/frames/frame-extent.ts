// Where a frame's picture lies on the earth.
import type { Bounds } from "../contract/primitives.ts";

/** Columns are equal steps of longitude, rows equal steps of Web Mercator y. */
export interface FrameExtent {
  /** Exact outer edges. */
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
}
