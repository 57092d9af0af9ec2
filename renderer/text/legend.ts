// The legend of a layer as the viewer draws it. Our own legends are recognized by labels and colors: they have
// short labels, class edges and every palette. The legend of another service is drawn as it is.
import type { MrmsLayer } from "../../shared/contract/index.ts";
import {
  toClassColors,
  toCssColor,
  type LayerColors,
} from "../../shared/products/color-tables/layer-colors.ts";
import type { Rgba } from "../../shared/products/color-tables/pal-file.ts";
import { isLegendOf } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { classEdges, type Product } from "../../shared/products/product.ts";
import { classRange, type HailUnits } from "./format.ts";
import type { ProbeReading } from "../map/scene.ts";

export interface LegendEntry {
  /** The label in the manifest; a hail class of ours in decimals: `0.75 to 1.00 in (19.1 to 25.4 mm)`. */
  readonly label: string;
  /** The label that fits the color strip. */
  readonly shortLabel: string;
  /** A CSS color. */
  readonly color: string;
  /** CSS background of the classes from here to the next entry, if they have several colors. */
  readonly background?: string | undefined;
  /** True for a limit that forecasters watch for; drawn heavier. */
  readonly threshold: boolean;
  /** Lower edge in the unit of the layer; undefined if unknown. */
  readonly from: number | undefined;
  /** True if the person, or the rule for two layers, hides this class on the map. */
  readonly hidden: boolean;
}

type LegendLayer = Pick<MrmsLayer, "id" | "legend">;

export interface LegendStyle extends LayerColors {
  readonly hailUnits: HailUnits;
  /** Lower edge of the first class shown, in the product's unit; undefined shows all. */
  readonly showFrom?: number | undefined;
}

export function toLegend(layer: LegendLayer, style: LegendStyle): LegendEntry[] {
  const product = getProduct(layer.id);
  return isLegendOf(product, layer.legend) ? toOwnLegend(product, style) : toForeignLegend(layer);
}

function toOwnLegend(
  product: Product,
  { hailUnits, showFrom = -Infinity, ...colors }: LegendStyle,
): LegendEntry[] {
  const colorOf = toClassColors(product, colors);
  const isOwnTable = colors.ownTables?.[product.id] !== undefined;
  return product.stops.map((stop, index) => ({
    label: fullLabel(product, index, hailUnits),
    shortLabel: shortLabel(product, index, hailUnits),
    color: toCssColor(colorOf(stop.from)),
    ...(isOwnTable && { background: toSteps(product, index, colorOf) }),
    threshold: stop.threshold,
    from: stop.from,
    hidden: stop.from < showFrom,
  }));
}

/** Draws the colors of a stop's classes side by side, as wide as the classes are. */
function toSteps(product: Product, index: number, colorOf: (edge: number) => Rgba): string {
  const { from } = product.stops[index]!;
  const to = product.stops[index + 1]?.from ?? Infinity;
  const edges = classEdges(product).filter((edge) => edge >= from && edge < to);
  const parts = edges.map((edge, at) => {
    const color = toCssColor(colorOf(edge));
    return `${color} ${toPercent(at, edges)} ${toPercent(at + 1, edges)}`;
  });
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

function toPercent(at: number, { length }: readonly number[]): string {
  return `${Math.round((10_000 * at) / length) / 100}%`;
}

/** Published labels keep their fractions: our own legends are recognized by them, and by their colors. */
function fullLabel({ stops, unit }: Product, index: number, hailUnits: HailUnits): string {
  const { from, label } = stops[index]!;
  if (unit !== "mm") return label;
  const [wanted, other] = classRange({ from, to: stops[index + 1]?.from, unit }, hailUnits);
  return `${wanted!} (${other!})`.replaceAll("–", " to ");
}

function shortLabel(product: Product, index: number, hailUnits: HailUnits): string {
  const stop = product.stops[index]!;
  if (product.unit !== "mm" || hailUnits === "in") return stop.shortLabel;
  return `${stop.from.toFixed(1)}${index === product.stops.length - 1 ? "+" : ""}`;
}

function toForeignLegend({ legend }: LegendLayer): LegendEntry[] {
  return legend.map(({ label, color }) => {
    const number = /-?\d+(?:\.\d+)?/.exec(label)?.[0];
    return {
      label,
      shortLabel: number === undefined ? label.slice(0, 8) : shortenForeign(number, label),
      color,
      threshold: false,
      from: undefined,
      hidden: false,
    };
  });
}

/** Returns the number, marked if the class is open above or below. */
function shortenForeign(number: string, label: string): string {
  if (/[+≥>]|above|more|over/i.test(label)) return `${number}+`;
  return /[<≤]|below|less|under/i.test(label) ? `<${number}` : number;
}

/** `½ in`, `12.7 mm`, `20 dBZ`: the lower edge of a class. */
export function edgeWords(product: Product, index: number, hailUnits: HailUnits): string {
  const unit = product.unit === "mm" ? hailUnits : product.unit;
  return `${shortLabel(product, index, hailUnits).replace("+", "")} ${unit}`;
}

export interface LegendMark {
  /** Index of the legend entry. */
  readonly index: number;
  /** Position along the strip, 0 to 1. */
  readonly position: number;
}

/** Finds a reading on its legend; undefined if it has no class, or the legend no edges. */
export function findLegendMark(
  entries: readonly LegendEntry[],
  reading: ProbeReading | undefined,
): LegendMark | undefined {
  if (reading?.kind !== "class") return undefined;
  const index = entries.findLastIndex((entry) => entry.from !== undefined && entry.from <= reading.from);
  const entry = entries[index];
  if (entry?.from === undefined) return undefined;
  const next = entries[index + 1]?.from;
  const middle = reading.to === undefined ? reading.from : (reading.from + reading.to) / 2;
  const within = next === undefined ? 0.5 : (middle - entry.from) / (next - entry.from);
  return { index, position: (index + Math.min(Math.max(within, 0), 1)) / entries.length };
}
