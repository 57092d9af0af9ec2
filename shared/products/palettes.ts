// Colors of the legend stops: palettes of two ramps each, for hail over reflectivity. A frame's PNG has the default
// palette; the viewer and the stills draw classes, so they color every frame of ours with the palette they show.
import type { LegendStop } from "../contract/manifest.ts";
import type { ProductId } from "../contract/primitives.ts";
import type { Product } from "./product.ts";

export const paletteIds = ["echotop", "nws", "color-blind", "color-blind-cold"] as const;
export type PaletteId = (typeof paletteIds)[number];

export const paletteNames: Readonly<Record<PaletteId, string>> = {
  echotop: "Echotop",
  nws: "NWS",
  "color-blind": "Color-blind",
  "color-blind-cold": "Color-blind, cold echo",
};

/** The ground under the colors. Published frames and stills have the colors for the dark one. */
export type Theme = "dark" | "light";

/** The palette of published frames and stills, and of the viewer until the person chooses another. */
export const defaultPalette: PaletteId = "echotop";

/**
 * A color for each stop, lowest first: `#rrggbb`, or `#rrggbbaa` where the ground shows through. `palettes.test.ts`
 * measures how far hail is from reflectivity in each palette.
 */
const palettes: Readonly<Record<PaletteId, Readonly<Record<ProductId, readonly string[]>>>> = {
  echotop: {
    // Slate below 20 dBZ, then green, yellow at 40, red at 50, magenta from 65: no blue and no cyan.
    "mrms-reflectivity": [
      "#2a363e99",
      "#344249bf",
      "#3f5057e6",
      "#1f6049",
      "#1e743c",
      "#359139",
      "#64ad45",
      "#efdd62",
      "#f1a231",
      "#e64903",
      "#ad2027",
      "#ba2865",
      "#e53e93",
      "#ce6db3",
      "#c2a5ce",
    ],
    // Violet below severe, blue from 1 inch, aqua to white from 2 inches: lighter with every stop.
    "mrms-mesh": [
      "#442372",
      "#563697",
      "#674bbd",
      "#836ee0",
      "#5e84f8",
      "#5197fd",
      "#45a9ff",
      "#40baff",
      "#7af3e2",
      "#adf7ea",
      "#d6fbf3",
      "#fcfefd",
    ],
  },
  nws: {
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
    // Pinks, lighter with every stop: the hues that the steps above leave free.
    "mrms-mesh": [
      "#212025",
      "#603f43",
      "#a66063",
      "#e04269",
      "#f664ae",
      "#f975ae",
      "#fc85ad",
      "#ff94ab",
      "#fea39f",
      "#ffb0a3",
      "#ffbca6",
      "#fec9aa",
    ],
  },
  "color-blind": {
    // Warm and cold, which every kind of color vision tells apart; lighter with every stop.
    "mrms-reflectivity": [
      "#322c2899",
      "#3c332ebf",
      "#463a34e6",
      "#5f3d31",
      "#754430",
      "#8c4c2d",
      "#a25326",
      "#b95b17",
      "#c86b18",
      "#d77b19",
      "#e29320",
      "#ebaa2f",
      "#efc45d",
      "#f3dc84",
      "#faf2aa",
    ],
    "mrms-mesh": [
      "#362964",
      "#3c2e7b",
      "#413493",
      "#4e54bb",
      "#4778d8",
      "#4288de",
      "#4199e2",
      "#45a8e5",
      "#67c6e4",
      "#97dae9",
      "#c5ecf1",
      "#f1fdfd",
    ],
  },
  "color-blind-cold": {
    // The other way round: cold echo, warm hail, for eyes and screens that lose dark browns.
    "mrms-reflectivity": [
      "#28303a99",
      "#2b3745bf",
      "#2e3e4ee6",
      "#1d4579",
      "#1e508a",
      "#205c9b",
      "#236bae",
      "#287abc",
      "#2f88c8",
      "#3d96cf",
      "#4ba3d5",
      "#5cafd9",
      "#6fbbdd",
      "#83c7e2",
      "#b0e0f2",
    ],
    "mrms-mesh": [
      "#431c07",
      "#632605",
      "#822f04",
      "#b04803",
      "#d86408",
      "#e57b17",
      "#ee9027",
      "#f4a53d",
      "#f9bd5c",
      "#fbd280",
      "#fde3a4",
      "#fff2c8",
    ],
  },
};

/**
 * The colors that differ over light ground, by the index of their stop: below 20 dBZ pale instead of dark, and warm,
 * as some eyes see aqua hail as a cold gray; and hail of 4 inches dark instead of white.
 */
const lightVariants: Readonly<
  Partial<Record<PaletteId, Readonly<Record<ProductId, Readonly<Record<number, string>>>>>>
> = {
  echotop: {
    "mrms-reflectivity": { 0: "#afa99bbf", 1: "#a59f92d0", 2: "#9e988ee0" },
    "mrms-mesh": { 11: "#002233" },
  },
  "color-blind": {
    "mrms-reflectivity": { 0: "#beb4a599", 1: "#b2a99bbf", 2: "#a39c91e6" },
    "mrms-mesh": { 11: "#002233" },
  },
  "color-blind-cold": {
    "mrms-reflectivity": { 0: "#c0c5ca99", 1: "#b6bdc4bf", 2: "#aab4bde6" },
    "mrms-mesh": { 11: "#2a0d00" },
  },
};

/** Colors that were the default palette's before. Revisions never change, so catalogs still hold them. */
const earlierColors: Readonly<Record<ProductId, readonly (readonly string[])[]>> = {
  "mrms-reflectivity": [palettes.nws["mrms-reflectivity"]],
  "mrms-mesh": [
    [
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
  ],
};

/** Returns the CSS colors of a product's stops, `#rrggbb` or `#rrggbbaa`, lowest stop first. */
export function stopColors(product: Product, palette: PaletteId, theme: Theme = "dark"): readonly string[] {
  const colors = palettes[palette][product.id];
  const variants = theme === "light" ? lightVariants[palette]?.[product.id] : undefined;
  return variants ? colors.map((color, stop) => variants[stop] ?? color) : colors;
}

/** Returns red, green, blue and alpha, 0 to 255, of `#rrggbb` or `#rrggbbaa`. */
export function toRgba(color: string): [red: number, green: number, blue: number, alpha: number] {
  const value = Number.parseInt(color.slice(1, 7), 16);
  const alpha = color.length > 7 ? Number.parseInt(color.slice(7, 9), 16) : 255;
  return [value >> 16, (value >> 8) & 0xff, value & 0xff, alpha];
}

/** Returns the legend of a manifest layer, in the default palette. */
export function legendOf(product: Product): LegendStop[] {
  const colors = stopColors(product, defaultPalette);
  return product.stops.map((stop, index) => ({ color: colors[index]!, label: stop.label }));
}

/**
 * Returns true if a legend is one that Echotop publishes for this product, or has published. Its class edges are known
 * then, and its frames are drawn in any palette. The labels alone do not tell: another service may use them for frames
 * without classes, in colors of its own.
 */
export function isLegendOf({ id, stops }: Product, legend: readonly LegendStop[]): boolean {
  const published = [palettes[defaultPalette][id], ...earlierColors[id]];
  return (
    stops.length === legend.length &&
    stops.every((stop, index) => stop.label === legend[index]!.label) &&
    published.some((colors) => colors.every((color, index) => color === legend[index]!.color))
  );
}
