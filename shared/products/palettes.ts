// Colors of the legend stops. A frame's PNG has the standard palette; the viewer draws classes, so it may replace it
// by the color-blind one, whose lightness rises from stop to stop.
import type { LegendStop } from "../contract/manifest.ts";
import type { ProductId } from "../contract/primitives.ts";
import type { Product } from "./product.ts";

export const paletteIds = ["standard", "color-blind"] as const;
export type PaletteId = (typeof paletteIds)[number];

/** `#rrggbb` for each stop, lowest first. */
const palettes: Readonly<Record<PaletteId, Readonly<Record<ProductId, readonly string[]>>>> = {
  standard: {
    // National Weather Service steps, 5 dBZ each.
    "mrms-reflectivity": [
      "#00ecec",
      "#01a0f6",
      "#0000f6",
      "#00ff00",
      "#00c800",
      "#009000",
      "#ffff00",
      "#e7c000",
      "#ff9000",
      "#ff0000",
      "#d60000",
      "#c00000",
      "#ff00ff",
      "#9955c9",
      "#ebebeb",
    ],
    // Cool below severe, warm from 1 inch, violet to white from 2 inches.
    "mrms-mesh": [
      "#50617f",
      "#3d78c2",
      "#35a39d",
      "#79c143",
      "#f4e24a",
      "#f8b13a",
      "#f2712a",
      "#d92b4b",
      "#a81fc4",
      "#7a3df0",
      "#c9a8ff",
      "#ffffff",
    ],
  },
  "color-blind": {
    // Blue through gray to yellow.
    "mrms-reflectivity": [
      "#0b2a55",
      "#14376b",
      "#2a436e",
      "#3d4f6f",
      "#4e5b71",
      "#5d6773",
      "#6c7375",
      "#7b7f77",
      "#8b8b76",
      "#9c9873",
      "#ada56d",
      "#bfb365",
      "#d2c159",
      "#e5d049",
      "#fbe336",
    ],
    // Dark violet through red to pale yellow.
    "mrms-mesh": [
      "#3b2260",
      "#512a7c",
      "#6b2f86",
      "#863585",
      "#b53f79",
      "#cf4c6c",
      "#e46062",
      "#f17a61",
      "#f99a6c",
      "#fcb47c",
      "#fdd49a",
      "#fcf4c4",
    ],
  },
};

/** Returns the colors of a product's stops, `#rrggbb`, lowest stop first. */
export function stopColors(product: Product, palette: PaletteId): readonly string[] {
  return palettes[palette][product.id];
}

/** Returns the legend of a manifest layer, in the standard palette. */
export function legendOf(product: Product): LegendStop[] {
  const colors = stopColors(product, "standard");
  return product.stops.map((stop, index) => ({ color: colors[index]!, label: stop.label }));
}
