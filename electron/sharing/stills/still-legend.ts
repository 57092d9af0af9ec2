// A layer's legend as stills and pages show it: from the manifest, with short labels for our own products.
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import {
  defaultPalette,
  isLegendOf,
  stopColors,
  toRgba,
  type PaletteId,
} from "../../../shared/products/palettes.ts";
import type { Product } from "../../../shared/products/product.ts";
import { colors } from "./still-look.ts";

export interface LegendEntry {
  /** `#rrggbb`, as seen on the ground of a still. */
  readonly color: string;
  readonly label: string;
  readonly shortLabel: string;
  /** True for a value that forecasters watch for. */
  readonly threshold: boolean;
  /** Lower edge in the product's unit; undefined in another service's legend. */
  readonly from: number | undefined;
}

export interface Legend {
  /** Unit of the short labels. */
  readonly unit: string;
  /** Lowest first. */
  readonly entries: readonly LegendEntry[];
  /** True if the entries are the stops of our product, so that areas by stop apply. */
  readonly isOurs: boolean;
}

/** Other colors become gray: text from another service must not get into an SVG. */
const plainColor = /^#[0-9a-f]{6}$/i;

export function toLegend(
  { legend, unit }: MrmsLayer,
  product: Product,
  palette: PaletteId = defaultPalette,
): Legend {
  const isOurs = isLegendOf(product, legend);
  const ours = stopColors(product, palette);
  return {
    isOurs,
    unit: isOurs ? { "mrms-mesh": "inches", "mrms-reflectivity": "dBZ" }[product.id] : unit,
    entries: legend.map(({ color, label }, index) => ({
      color: isOurs ? onGround(ours[index]!) : plainColor.test(color) ? color : "#808080",
      label,
      shortLabel: isOurs ? toPlainFraction(product.stops[index]!.shortLabel) : label,
      threshold: isOurs && product.stops[index]!.threshold,
      from: isOurs ? product.stops[index]!.from : undefined,
    })),
  };
}

function onGround(color: string): string {
  const ground = toRgba(colors.land);
  const [red, green, blue, alpha] = toRgba(color);
  const blended = [red, green, blue].map((value, channel) =>
    Math.round((value * alpha + ground[channel]! * (255 - alpha)) / 255),
  );
  return `#${Buffer.from(blended).toString("hex")}`;
}

/** Replaces the eighth sign, which the font of the stills lacks. */
function toPlainFraction(text: string): string {
  return text.replace("⅛", "1/8");
}
