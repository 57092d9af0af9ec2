import { describe, expect, test } from "vitest";
import { classEdges, stopOfClass } from "../../shared/products/product.ts";
import { paletteIds, stopColors, toRgba } from "../../shared/products/palettes.ts";
import { products } from "../../shared/products/registry.ts";
import { mapThemes } from "../basemap/ground-parts.ts";
import { colorOf, toColorTable } from "./color-table.ts";
import type { IndexedFrame } from "../frames/decoded-frame.ts";

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
    echo: undefined,
    palette,
    classes,
    coverage: undefined,
  };
}

const all = { palette: "published", theme: "dark", showFrom: undefined } as const;
const echotop = { palette: "echotop", theme: "dark", showFrom: undefined } as const;

describe("a color table", () => {
  test("is the picture's own palette if that is wanted", () => {
    const frame = createFrame({ product: "mrms-mesh", unit: "mm", edges: [10] });
    expect(toColorTable(frame, all)).toBe(frame.palette);
  });

  describe.each(paletteIds)("in the %s palette", (palette) => {
    test.each(mapThemes.flatMap((theme) => products.map((product) => [theme, product.id, product] as const)))(
      "over %s ground gives each class of %s the color of its legend stop",
      (theme, id, product) => {
        const frame = createFrame({ product: id, unit: product.unit, edges: classEdges(product) });
        const coloring = { palette, theme, showFrom: undefined };
        const table = toColorTable(frame, coloring);
        const colors = stopColors(product, palette, theme).map(toRgba);
        stopOfClass(product).forEach((stop, index) => {
          expect([...table.subarray((index + 1) * 4, (index + 2) * 4)]).toEqual(colors[stop]);
        });
        expect(table[3]).toBe(0);
        expect(toColorTable(frame, { ...coloring })).toBe(table);
      },
    );
  });

  test("hides the classes below the limit, keeps their colors for the probe, and shows them again", () => {
    const frame = createFrame({ product: "mrms-mesh", unit: "mm", edges: [10, 12.7, 25.4] });
    const shown = toColorTable(frame, echotop);
    const hidden = toColorTable(frame, { ...echotop, showFrom: 12.7 });
    const alphas = (table: Uint8Array): number[] => [1, 2, 3].map((index) => table[index * 4 + 3]!);
    expect(alphas(hidden)).toEqual([0, 255, 255]);
    expect(alphas(shown)).toEqual([255, 255, 255]);
    expect(colorOf(hidden, 1)).toBe(colorOf(shown, 1));
    expect(alphas(toColorTable(frame, { ...all, showFrom: 25.4 }))).toEqual([0, 0, 255]);
    expect(alphas(frame.palette)).toEqual([255, 255, 255]);
  });

  test("leaves a picture unchanged when the meaning of its colors is unknown", () => {
    const frame = createFrame(undefined);
    expect(toColorTable(frame, { ...echotop, showFrom: 12.7 })).toBe(frame.palette);
  });
});
