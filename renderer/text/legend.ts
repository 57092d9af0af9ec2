// A layer's legend as the viewer draws it. Our own legends are recognised by their words and bring short labels, edges and
// the colour-blind palette; a legend of another service is drawn from what its words say.
import type { MrmsLayer } from "../../shared/contract/index.ts";
import { stopColors, type PaletteId } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import type { Product } from "../../shared/products/product.ts";
import type { HailUnits } from "./format.ts";
import type { ProbeReading } from "../map/scene.ts";

export interface LegendEntry {
  /** The whole label, as the manifest has it. */
  readonly label: string;
  /** What the colour strip has room for. */
  readonly shortLabel: string;
  /** A CSS colour. */
  readonly color: string;
  /** A line that forecasters watch for: drawn heavier. */
  readonly threshold: boolean;
  /** Lower edge in the layer's unit, where it is known. */
  readonly from: number | undefined;
}

type LegendLayer = Pick<MrmsLayer, "id" | "legend">;

/** True when the legend is the one that this viewer's product has: then its edges are known and palettes can be swapped. */
export function isOwnLegend({ id, legend }: LegendLayer): boolean {
  const { stops } = getProduct(id);
  return stops.length === legend.length && stops.every((stop, index) => stop.label === legend[index]?.label);
}

export function toLegend(layer: LegendLayer, palette: PaletteId, hailUnits: HailUnits): LegendEntry[] {
  return isOwnLegend(layer) ? toOwnLegend(layer, palette, hailUnits) : toForeignLegend(layer);
}

function toOwnLegend(layer: LegendLayer, palette: PaletteId, hailUnits: HailUnits): LegendEntry[] {
  const product = getProduct(layer.id);
  const colors =
    palette === "standard" ? layer.legend.map((stop) => stop.color) : stopColors(product, palette);
  return product.stops.map((stop, index) => ({
    label: stop.label,
    shortLabel: shortLabel(product, index, hailUnits),
    color: colors[index] ?? "transparent",
    threshold: stop.threshold,
    from: stop.from,
  }));
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
    };
  });
}

/** The label's first number, and whether it is open above or below. */
function shortenForeign(number: string, label: string): string {
  if (/[+≥>]|above|more|over/i.test(label)) return `${number}+`;
  return /[<≤]|below|less|under/i.test(label) ? `<${number}` : number;
}

export interface LegendMark {
  /** Index of the legend entry that the reading falls under. */
  readonly index: number;
  /** Along the strip of equal cells, 0 to 1. */
  readonly position: number;
}

/** Where a reading stands on its legend; undefined when it says no class or the legend does not tell. */
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

/**
 * Indices of the entries whose short labels fit under a strip of `widthPx` without touching: thresholds and the two ends
 * first, then as dense an even step as there is room for. A label begins where its cell does; the last one ends there.
 */
export function pickStripLabels(
  entries: readonly LegendEntry[],
  widthPx: number,
  characterPx: number,
): number[] {
  if (entries.length === 0) return [];
  const cellPx = widthPx / entries.length;
  const gapPx = characterPx;
  const picked: number[] = [];
  const last = entries.length - 1;
  const textPx = (index: number): number => entries[index]!.shortLabel.length * characterPx;
  const startPx = (index: number): number =>
    index === last ? Math.min(last * cellPx, widthPx - textPx(last)) : index * cellPx;
  const fits = (index: number): boolean =>
    picked.every((other) => {
      const [left, right] = index < other ? [index, other] : [other, index];
      return startPx(left) + textPx(left) + gapPx <= startPx(right);
    });
  const offer = (index: number): void => {
    if (!picked.includes(index) && fits(index)) picked.push(index);
  };
  entries.forEach((entry, index) => {
    if (entry.threshold) offer(index);
  });
  offer(0);
  offer(last);
  const longest = Math.max(0, ...entries.map((entry) => entry.shortLabel.length));
  const step = Math.max(1, Math.ceil((longest * characterPx + gapPx) / cellPx));
  for (let index = 0; index < entries.length; index += step) offer(index);
  return picked.sort((first, second) => first - second);
}
