// The colors of a frame's classes in one of our palettes, in place of those in its PNG.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import { stopColors, toRgba } from "../products/palettes.ts";
import type { PaletteId, Theme } from "../products/palettes.ts";
import type { Product } from "../products/product.ts";
import { getProduct } from "../products/registry.ts";

/** Returns the index of a class's legend stop. A class below the first stop, which our own products lack, takes it. */
export function findStop({ stops }: Product, edge: number): number {
  return Math.max(
    0,
    stops.findLastIndex(({ from }) => from <= edge),
  );
}

/**
 * Returns a copy of a frame's colors in which each class has the color of its legend stop. Both have 256 entries of
 * red, green, blue and alpha, not premultiplied; class 0 of the table is entry 1.
 */
export function colorClasses(
  published: Uint8Array<ArrayBuffer>,
  { product: id, edges }: FrameClasses,
  palette: PaletteId,
  theme: Theme = "dark",
): Uint8Array<ArrayBuffer> {
  const product = getProduct(id);
  const colors = stopColors(product, palette, theme).map(toRgba);
  const table = published.slice();
  edges.forEach((edge, index) => {
    table.set(colors[findStop(product, edge)]!, (index + 1) * 4);
  });
  return table;
}
