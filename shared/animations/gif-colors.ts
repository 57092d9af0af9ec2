// Reduces the colors of a frame to the 255 of a GIF: the legends' colors first, then the most frequent ones, exactly;
// the rest by their nearest.
import { quantize } from "./gif-package.ts";

/** Colors of a frame. A color is a number as a little-endian pixel has it: 0xAABBGGRR. */
export interface PixelColors {
  /** Distinct colors; those of unchanged pixels are not among them. */
  readonly colors: Uint32Array;
  /** Number of pixels of each color. */
  readonly counts: Uint32Array;
  /** One a pixel: the position of its color, or `unchangedColor`. */
  readonly positions: Uint32Array;
  readonly hasUnchanged: boolean;
}

export const unchangedColor = 0xffff_ffff;
/** Index of the pixels that stay as they were in the frame before. */
export const unchangedIndex = 255;
/** Colors of the palette; one index is kept for unchanged pixels. */
const mostColors = unchangedIndex;
/** Colors that are chosen by their number of pixels before the rest is grouped. */
const mostExact = 192;

export function toGifColors(
  { colors, counts, positions }: PixelColors,
  first: readonly number[],
): { readonly indexes: Uint8Array; readonly palette: [number, number, number][] } {
  const chosen = chooseColors(colors, counts, first);
  const nearest = toNearest(colors, chosen);
  const indexes = new Uint8Array(positions.length);
  for (let pixel = 0; pixel < positions.length; pixel++) {
    const position = positions[pixel]!;
    indexes[pixel] = position === unchangedColor ? unchangedIndex : nearest[position]!;
  }
  const palette = chosen.map(toRgb);
  while (palette.length <= unchangedIndex) palette.push([0, 0, 0]);
  return { indexes, palette };
}

/** Returns at most 255 colors, `first` at the beginning. */
function chooseColors(colors: Uint32Array, counts: Uint32Array, first: readonly number[]): number[] {
  const chosen = new Set(first.map(toOpaque));
  const byCount = [...colors.keys()].sort((one, other) => counts[other]! - counts[one]!);
  const rest = byCount.map((position) => colors[position]!).filter((color) => !chosen.has(color));
  const isExact = chosen.size + rest.length <= mostColors;
  const exact = isExact ? rest.length : Math.max(0, mostExact - chosen.size);
  for (const color of rest.slice(0, exact)) chosen.add(color);
  const grouped = rest.slice(exact);
  if (grouped.length > 0) {
    const pixels = new Uint8Array(Uint32Array.from(grouped).buffer);
    for (const [red, green, blue] of quantize(pixels, mostColors - chosen.size))
      chosen.add(toOpaque(red! | (green! << 8) | (blue! << 16)));
  }
  return [...chosen].slice(0, mostColors);
}

/** Returns the index of the nearest chosen color for each color. */
function toNearest(colors: Uint32Array, chosen: readonly number[]): Uint8Array {
  const exact = new Map(chosen.map((color, index) => [color, index]));
  const palette = chosen.map(toRgb);
  return Uint8Array.from(colors, (color) => exact.get(color) ?? findNearest(toRgb(color), palette));
}

function findNearest(
  [red, green, blue]: readonly [number, number, number],
  palette: readonly (readonly [number, number, number])[],
): number {
  let nearest = 0;
  let least = Infinity;
  for (let index = 0; index < palette.length; index++) {
    const [otherRed, otherGreen, otherBlue] = palette[index]!;
    const distance = (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
    if (distance < least) [least, nearest] = [distance, index];
  }
  return nearest;
}

function toRgb(color: number): [number, number, number] {
  return [color & 0xff, (color >> 8) & 0xff, (color >> 16) & 0xff];
}

function toOpaque(color: number): number {
  return (color | 0xff00_0000) >>> 0;
}
