// The colors of a frame's classes in a palette of ours or a table of the person, in place of those in its PNG.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import { toClassColors, type LayerColors } from "../products/color-tables/layer-colors.ts";
import { getProduct } from "../products/registry.ts";

/**
 * Returns a copy of a frame's colors in which each class has the color that the person chose. Both have 256 entries of
 * red, green, blue and alpha, not premultiplied; class 0 of the table is entry 1.
 */
export function colorClasses(
  published: Uint8Array<ArrayBuffer>,
  { product: id, edges }: FrameClasses,
  colors: LayerColors,
): Uint8Array<ArrayBuffer> {
  const colorOf = toClassColors(getProduct(id), colors);
  const table = published.slice();
  edges.forEach((edge, index) => {
    table.set(colorOf(edge), (index + 1) * 4);
  });
  return table;
}
