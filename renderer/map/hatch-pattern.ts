// The hatch outside radar coverage: thin diagonals, anchored to the map so that they move with it. Pure.
import type { ClipTransform, Screen } from "../frames/screen/screen-geometry.ts";

const lineDistancePx = 9;
export const hatchOpacity = 0.16;
/** Red, green and blue, 0 to 1. */
export const hatchColor = [0.55, 0.6, 0.66] as const;

/** Returns the distance of the lines, and the map's offset across them, in device pixels. */
export function toHatchPattern(
  { offsetX, offsetY }: ClipTransform,
  { widthPx, heightPx }: Screen,
  pixelRatio: number,
): [distancePx: number, offsetPx: number] {
  const distancePx = lineDistancePx * pixelRatio;
  // The Mercator square's corner in device pixels from the lower left.
  const corner = ((offsetX + 1) / 2) * widthPx + ((offsetY + 1) / 2) * heightPx;
  return [distancePx, distancePx - (corner % distancePx)];
}
