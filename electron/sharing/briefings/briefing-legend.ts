// A layer's legend as stills and pages show it: what the manifest says, with the short words of our own products.
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import { legendOf } from "../../../shared/products/palettes.ts";
import type { Product } from "../../../shared/products/product.ts";

export interface LegendEntry {
  /** `#rrggbb` */
  readonly color: string;
  readonly label: string;
  readonly shortLabel: string;
  /** A line that forecasters watch for. */
  readonly threshold: boolean;
}

export interface Legend {
  /** What the short labels are in. */
  readonly unit: string;
  /** Lowest first. */
  readonly entries: readonly LegendEntry[];
  /** The entries are our product's own stops: areas by stop belong to them. */
  readonly isOurs: boolean;
}

/** Colours that are no plain `#rrggbb` are grey: what another service sends is not put into a picture as it is. */
const plainColor = /^#[0-9a-f]{6}$/i;

export function toLegend({ legend, unit }: MrmsLayer, product: Product): Legend {
  const ours = legendOf(product);
  const isOurs =
    legend.length === ours.length &&
    legend.every(({ color, label }, index) => color === ours[index]!.color && label === ours[index]!.label);
  return {
    isOurs,
    unit: isOurs ? { "mrms-mesh": "inches", "mrms-reflectivity": "dBZ" }[product.id] : unit,
    entries: legend.map(({ color, label }, index) => ({
      color: plainColor.test(color) ? color : "#808080",
      label,
      shortLabel: isOurs ? toPlainFraction(product.stops[index]!.shortLabel) : label,
      threshold: isOurs && product.stops[index]!.threshold,
    })),
  };
}

/** The font of the stills has no sign for an eighth. */
function toPlainFraction(text: string): string {
  return text.replace("⅛", "1/8");
}
