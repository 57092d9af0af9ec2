// The largest values so far in words: their span and windows, what is missing and why, areas, the legend.
import { soFarBands, soFarColors } from "../../shared/analysis/analysis-colors.ts";
import type { SwathClass } from "../../shared/analysis/swath.ts";
import type { MissingCause, MissingWindow } from "../../shared/analysis/window-layers.ts";
import type { ProductId } from "../../shared/contract/index.ts";
import { kmPerMile } from "../../shared/geo/sphere.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import type { SwathLabel } from "../map/swath-labels.ts";
import type { MadeSoFar, SoFar, SoFarAudit } from "../state/so-far/so-far-windows.ts";
import { classRange, clockDay, clockMinute, clockWindow, counted, type HailUnits } from "./format.ts";
import { edgeWords, type LegendEntry } from "./legend.ts";

export const soFarNames: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "Largest hail so far",
  "mrms-reflectivity": "Strongest echo so far",
};

/** Names next to a reading. */
export const soFarShortNames: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "Largest so far",
  "mrms-reflectivity": "Strongest so far",
};

export const soFarCaveats: Readonly<Record<ProductId, string>> = {
  "mrms-mesh":
    "Each cell keeps its largest estimate over these windows: not hail at one time, and not a report. Not a warning source.",
  "mrms-reflectivity":
    "Each cell keeps its strongest echo over these windows: not echo at one time. Not a warning source.",
};

export const missingWords: Readonly<Record<MissingCause, string>> = {
  "not-published": "not published",
  "not-delivered": "not received",
  failed: "failed to load",
  "another-grid": "on another grid",
};

/** `21:00–22:28`; with days if it is over midnight. */
export function spanWords({ fromMs, toMs }: Pick<SoFar, "fromMs" | "toMs">): string {
  if (clockDay(fromMs) !== clockDay(toMs)) return clockWindow(fromMs, toMs);
  const [from, to] = [clockMinute(fromMs), clockMinute(toMs)];
  return from === to ? to : `${from}–${to}`;
}

/** Most missing windows that are named one by one. */
const mostNamed = 5;

/** `missing 21:14, 21:16, 21:40`, or `missing 7` if there are more than five; undefined if none is. */
export function missingNote({ missing }: SoFarAudit): string | undefined {
  return missing.length === 0 ? undefined : `missing ${missingTimes(missing)}`;
}

/** `21:14, 21:16, 21:40`, or `7` if there are more than five. */
export function missingTimes(missing: readonly MissingWindow[]): string {
  if (missing.length > mostNamed) return String(missing.length);
  return missing.map(({ observedAt }) => clockMinute(Date.parse(observedAt))).join(", ");
}

/** `42 of 45 windows used` */
export function usedWords({ used, windows }: SoFarAudit): string {
  return `${used} of ${counted(windows, "window", "windows")} used`;
}

export interface MissingRun {
  /** `21:14`, or `21:14–21:16` for windows in a row. */
  readonly times: string;
  readonly why: string;
}

/** Returns the missing windows with their causes, those in a row with one cause as one. */
export function toMissingRuns(missing: readonly MissingWindow[]): MissingRun[] {
  const runs: { fromMs: number; toMs: number; why: MissingCause }[] = [];
  for (const { observedAt, why } of missing) {
    const atMs = Date.parse(observedAt);
    const last = runs.at(-1);
    if (last?.why === why && windowOf(atMs) === windowOf(last.toMs) + 1) last.toMs = atMs;
    else runs.push({ fromMs: atMs, toMs: atMs, why });
  }
  return runs.map(({ why, ...span }) => ({ times: spanWords(span), why: missingWords[why] }));
}

function windowOf(atMs: number): number {
  return Math.floor(atMs / windowMs);
}

export interface AreaFact {
  /** `1 in or larger` */
  readonly label: string;
  /** `about 370 mi²` */
  readonly value: string;
  /** The same in the other unit. */
  readonly other: string;
}

/** Lower edges whose areas are told, in the layer's unit: severe and significant hail, convective and extreme echo. */
const areaEdges: Readonly<Record<ProductId, readonly number[]>> = {
  "mrms-mesh": [25.4, 50.8],
  "mrms-reflectivity": [40, 60],
};

export function toAreaFacts(
  product: ProductId,
  classes: readonly SwathClass[],
  hailUnits: HailUnits,
): AreaFact[] {
  const { stops } = getProduct(product);
  return areaEdges[product].map((from) => {
    const km2 = classes.filter(({ lower }) => lower >= from).reduce((sum, part) => sum + part.km2, 0);
    const [value, other] = [areaWords(km2 / kmPerMile ** 2, "mi²"), areaWords(km2, "km²")];
    const edge = edgeWords(
      getProduct(product),
      stops.findIndex((stop) => stop.from === from),
      hailUnits,
    );
    return {
      label: `${edge} or ${product === "mrms-mesh" ? "larger" : "stronger"}`,
      ...(hailUnits === "in" ? { value, other } : { value: other, other: value }),
    };
  });
}

/** The words on the map: `1 in` at its contour, and `now, 22:28` at the storm of the last window. */
export function toSwathLabels(
  { soFar, facts }: Pick<MadeSoFar, "soFar" | "facts">,
  units: HailUnits,
): SwathLabel[] {
  if (!facts) return [];
  const product = getProduct(soFar.product);
  const lines = facts.lines.map(({ lower, coordinate }): SwathLabel => {
    const stop = product.stops.findIndex(({ from }) => from === lower);
    return { words: edgeWords(product, stop, units), coordinate, side: "west" };
  });
  const last = soFar.windows.at(-1);
  if (!facts.storm || !last || !("layer" in last)) return lines;
  return [...lines, { words: `now, ${clockMinute(soFar.toMs)}`, coordinate: facts.storm, side: "south" }];
}

/** Rounds to two digits: more would claim what cells of a kilometer cannot tell. */
function areaWords(area: number, unit: string): string {
  if (area === 0) return "none";
  if (area < 1) return `less than 1 ${unit}`;
  return `about ${Number(area.toPrecision(2)).toLocaleString("en-US")} ${unit}`;
}

/** `None of ⅛ in or larger in 42 windows` */
export function nothingWords(product: ProductId, used: number, hailUnits: HailUnits): string {
  const than = product === "mrms-mesh" ? "larger" : "stronger";
  return `None of ${edgeWords(getProduct(product), 0, hailUnits)} or ${than} in ${counted(used, "window", "windows")}`;
}

/** The label of a band has its cells once they are counted. */
export function toSoFarLegend(
  productId: ProductId,
  hailUnits: HailUnits,
  classes: readonly SwathClass[] | undefined,
): LegendEntry[] {
  const product = getProduct(productId);
  const bands: readonly number[] = soFarBands[productId];
  return bands.map((from, band) => {
    const stop = product.stops.findIndex((candidate) => candidate.from === from);
    const short = edgeWords(product, stop, hailUnits).split(" ")[0]!;
    const to = bands[band + 1];
    const range = classRange({ from, to, unit: product.unit }, hailUnits).join(" · ");
    return {
      label: classes ? `${range}: ${cellWords(classes, from, to)}` : range,
      shortLabel: band === bands.length - 1 ? `${short}+` : short,
      color: soFarColors[band]!,
      threshold: product.stops[stop]!.threshold,
      from,
      hidden: false,
    };
  });
}

function cellWords(classes: readonly SwathClass[], from: number, to = Infinity): string {
  const own = classes.filter(({ lower }) => lower >= from && lower < to);
  const cells = own.reduce((sum, part) => sum + part.cells, 0);
  return cells === 1 ? "1 cell" : `${cells.toLocaleString("en-US")} cells`;
}
