// The colors that a person chose for a layer: one of our palettes, or a table of their own.
import { findStop } from "../find-stop.ts";
import { stopColors, toRgba, type PaletteId, type Theme } from "../palettes.ts";
import type { Product } from "../product.ts";
import { colorAt, type OwnTable } from "./own-table.ts";
import type { Rgba } from "./pal-file.ts";

/** The table that draws each layer; a layer without one has the palette. */
export type OwnTables = Readonly<Partial<Record<Product["id"], OwnTable>>>;

export interface LayerColors {
  readonly palette: PaletteId;
  /** Dark if undefined. A table has the same colors in both. */
  readonly theme?: Theme | undefined;
  readonly ownTables?: OwnTables | undefined;
}

const transparent: Rgba = [0, 0, 0, 0];

/** Returns a function from a class's lower edge to its color, not premultiplied. */
export function toClassColors(
  product: Product,
  { palette, theme, ownTables }: LayerColors,
): (edge: number) => Rgba {
  const table = ownTables?.[product.id];
  if (table) return (edge) => colorAt(table, edge) ?? transparent;
  const colors = stopColors(product, palette, theme).map(toRgba);
  return (edge) => colors[findStop(product, edge)]!;
}

/** Returns `#rrggbb`, or `#rrggbbaa` where something shows through. */
export function toCssColor([red, green, blue, alpha]: Rgba): string {
  const channels = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}
