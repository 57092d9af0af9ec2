// The rule that map and stills share for cells too small for the screen: a single cell of a class that matters is drawn
// as a mark of a size that the eye finds. The map's shaders do what `growMarks` does.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import { getProduct } from "../products/registry.ts";

/** Least width and height of a marked cell where a pixel covers more than one cell, in CSS pixels. */
export const markSizePx = 2;

/** Returns the palette index of the lowest class that is marked; undefined if the product or the frame has none. */
export function firstMarkedIndex({ product, edges }: FrameClasses): number | undefined {
  const { markedFrom } = getProduct(product);
  if (markedFrom === undefined) return undefined;
  const first = edges.findIndex((edge) => edge >= markedFrom);
  return first < 0 ? undefined : first + 1;
}

export interface PixelClasses {
  readonly widthPx: number;
  readonly heightPx: number;
  /** heightPx rows of widthPx palette indices, from the northwest; a higher index is a higher class. */
  readonly indices: Uint8Array;
}

/**
 * Returns the indices after all areas of index `from` or higher have grown to at least `sizePx` pixels, to the right
 * and down from their left and top edges. Areas that are wide enough keep their shape.
 */
export function growMarks(
  { widthPx, heightPx, indices }: PixelClasses,
  from: number,
  sizePx: number,
): Uint8Array {
  const grown = indices.slice();
  const isMarked = (x: number, y: number): boolean => x >= 0 && y >= 0 && indices[y * widthPx + x]! >= from;
  // A plain loop: most pixels of a large picture are below.
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at]!;
    if (index < from) continue;
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    const across = isMarked(x - 1, y) ? 1 : sizePx;
    const down = isMarked(x, y - 1) ? 1 : sizePx;
    for (let row = y; row < Math.min(y + down, heightPx); row++) {
      for (let column = x; column < Math.min(x + across, widthPx); column++) {
        const target = row * widthPx + column;
        grown[target] = Math.max(grown[target]!, index);
      }
    }
  }
  return grown;
}
