import { describe, expect, test } from "vitest";
import { classEdges, stopOfClass } from "../../shared/products/product.ts";
import { stopColors } from "../../shared/products/palettes.ts";
import { products } from "../../shared/products/registry.ts";
import { colorOf, toColorTable } from "./color-table.ts";
import type { IndexedFrame } from "./decoded-frame.ts";

function createFrame(classes: IndexedFrame["classes"]): IndexedFrame {
  const grid = { kind: "raw", widthPx: 1, heightPx: 1, indices: Uint8Array.of(0) } as const;
  const palette = new Uint8Array(1024).fill(255);
  palette[3] = 0;
  return {
    kind: "indexed",
    widthPx: 1,
    heightPx: 1,
    grid,
    coarser: [],
    palette,
    classes,
    coverage: undefined,
  };
}

describe("a color table", () => {
  test("is the picture's own palette unless another is chosen", () => {
    const frame = createFrame({ product: "mrms-mesh", unit: "mm", edges: [10] });
    expect(toColorTable(frame, "standard")).toBe(frame.palette);
  });

  test.each(products.map((product) => [product.id, product] as const))(
    "gives each class of %s the color of its legend stop in the chosen palette",
    (id, product) => {
      const frame = createFrame({ product: id, unit: product.unit, edges: classEdges(product) });
      const table = toColorTable(frame, "color-blind");
      const colors = stopColors(product, "color-blind");
      stopOfClass(product).forEach((stop, index) => {
        expect(colorOf(table, index + 1)).toBe(colors[stop]);
      });
      expect(table[3]).toBe(0);
      expect(toColorTable(frame, "color-blind")).toBe(table);
    },
  );

  test("leaves a picture unchanged when the meaning of its colors is unknown", () => {
    const frame = createFrame(undefined);
    expect(toColorTable(frame, "color-blind")).toBe(frame.palette);
  });
});
