// The rule that map and stills share for cells too small for the screen: a single cell of a class that matters is drawn
// as a mark of a size that the eye finds.
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
