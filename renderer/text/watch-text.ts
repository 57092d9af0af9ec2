// Words of watch rules, of the storms that they tell of, and of "Read the storm": the same on screen and spoken.
import type { ClassRange } from "../../shared/analysis/cell-frame.ts";
import type { ProductId } from "../../shared/contract/index.ts";
import { kmPerUnit, type DistanceUnit } from "../../shared/geo/distance-words.ts";
import type { NearestPlace, PlacePoint } from "../../shared/geo/nearest-place.ts";
import { getProduct } from "../../shared/products/registry.ts";
import type { EventNature } from "../../shared/revisions/event-origin.ts";
import type { WatchArea, WatchRule } from "../state/watch/watch-rule.ts";
import type { StormTold } from "../state/watch/watch-slice.ts";
import { clockMinute, minuteWithZone, type HailUnits } from "./format.ts";

export const watchedNames: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "Hail",
  "mrms-reflectivity": "Reflectivity",
};

/** Lower edges that a rule may have, in the layer's unit. */
export const watchEdges: Readonly<Record<ProductId, readonly number[]>> = {
  "mrms-mesh": [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75].map((inches) => inches * 25.4),
  "mrms-reflectivity": [40, 45, 50, 55, 60, 65, 70],
};

/** `1½ in`, `38.1 mm`, `60 dBZ` */
export function edgeWords(layer: ProductId, lower: number, units: HailUnits): string {
  if (layer === "mrms-reflectivity") return `${lower} dBZ`;
  return units === "mm" ? `${lower.toFixed(1)} mm` : `${inchWords(lower)} in`;
}

/** `Hail of 1 in or larger within 30 mi of Norman` */
export function ruleWords({ layer, lower, area }: WatchRule, units: HailUnits, unit: DistanceUnit): string {
  const more = layer === "mrms-mesh" ? "or larger" : "or more";
  const edge = edgeWords(layer, lower, units);
  return `${watchedNames[layer]} of ${edge} ${more} ${areaWords(area, unit)}`;
}

function areaWords(area: WatchArea, unit: DistanceUnit): string {
  if (area.kind === "view") return "in view";
  if (area.kind === "event") return "anywhere in the event";
  return `within ${Math.round(area.withinKm / kmPerUnit[unit])} ${unit} of ${area.label}`;
}

/** `1¼`: a legend's inches. */
function inchWords(millimeters: number): string {
  const stop = getProduct("mrms-mesh").stops.find(({ from }) => Math.abs(from - millimeters) < 0.01);
  return stop?.shortLabel.replace("+", "") ?? String(Number((millimeters / 25.4).toFixed(2)));
}

/** `2 to 2½ inches`, `60.5 to 61 dBZ`: hail by the classes of the legend. */
export function sizeWords(layer: ProductId, { lower, upper }: ClassRange, units: HailUnits): string {
  if (layer === "mrms-reflectivity")
    return upper === undefined ? `${lower} dBZ or more` : `${lower} to ${upper} dBZ`;
  const { stops } = getProduct(layer);
  const index = stops.findLastIndex(({ from }) => from <= lower + 1e-6);
  const [from, to] = [stops[index]?.from ?? lower, stops[index + 1]?.from];
  const words = (edge: number): string => (units === "mm" ? edge.toFixed(1) : inchWords(edge));
  const name = units === "mm" ? "millimeters" : "inches";
  return to === undefined ? `${words(from)} ${name} or more` : `${words(from)} to ${words(to)} ${name}`;
}

const directionWords: Readonly<Record<NearestPlace<PlacePoint>["direction"], string>> = {
  N: "north",
  NE: "northeast",
  E: "east",
  SE: "southeast",
  S: "south",
  SW: "southwest",
  W: "west",
  NW: "northwest",
};
const unitWords: Readonly<Record<DistanceUnit, readonly [one: string, many: string]>> = {
  mi: ["mile", "miles"],
  nmi: ["nautical mile", "nautical miles"],
  km: ["kilometer", "kilometers"],
};

/** `9 miles northeast of Norman`, `at Norman` */
export function spokenPlace(nearest: NearestPlace<PlacePoint>, unit: DistanceUnit): string {
  const count = Math.round(nearest.distanceKm / kmPerUnit[unit]);
  if (count < 2) return `at ${nearest.place.name}`;
  return `${count} ${unitWords[unit][1]} ${directionWords[nearest.direction]} of ${nearest.place.name}`;
}

/** Words before everything about storms that are not happening now. */
const natureWords: Readonly<Record<EventNature, string>> = {
  live: "",
  benchmark: "",
  synthetic: "Made-up storm: ",
  replay: "Replay, not live: ",
  "synthetic-replay": "Replay of a made-up storm: ",
};

/** `Hail of 2 to 2½ inches, 9 miles northeast of Norman, observed 21:34 UTC, published 3 min later` */
export function toldWords(storm: StormTold, units: HailUnits): string {
  const size = `${watchedNames[storm.layer]} of ${sizeWords(storm.layer, storm.range, units)}`;
  const parts = [size, storm.place, `observed ${minuteWithZone(storm.observedMs)}`, delayWords(storm)];
  return `${natureWords[storm.nature]}${parts.filter((part) => part !== undefined).join(", ")}`;
}

function delayWords({ observedMs, publishedMs }: StormTold): string | undefined {
  if (publishedMs === undefined) return undefined;
  const minutes = Math.round((publishedMs - observedMs) / 60_000);
  if (minutes >= 24 * 60) return "added here later";
  if (minutes < 1) return "published within a minute";
  return minutes < 60
    ? `published ${minutes} min later`
    : `published ${Math.floor(minutes / 60)} h ${minutes % 60} min later`;
}

/** One layer of the picture, in view. */
export interface ReadLayer {
  readonly layer: ProductId;
  /** The highest class in view; undefined if no cell has one. */
  readonly highest: { readonly range: ClassRange; readonly place: string | undefined } | undefined;
  readonly isCovered: boolean;
}

export interface ReadFacts {
  readonly nature: EventNature;
  /** The layers that the picture has and that could be read, hail first. */
  readonly layers: readonly ReadLayer[];
  readonly observedMs: number;
  readonly nowMs: number;
  readonly isNewest: boolean;
  readonly isLive: boolean;
  /** `21:46:10 UTC`, `revision 23`; undefined without "As known at". */
  readonly knownAt: string | undefined;
  readonly hailUnits: HailUnits;
}

/** `Largest hail estimate in view 2 to 2½ inches, 9 miles northeast of Norman, newest frame 3 minutes old` */
export function readingWords(facts: ReadFacts): string {
  const { layers, nature, hailUnits } = facts;
  const when = timeWords(facts);
  if (layers.length === 0) return `${natureWords[nature]}This frame cannot be read, ${when}`;
  if (!layers.some(({ isCovered }) => isCovered))
    return `${natureWords[nature]}The view is outside radar coverage, ${when}`;
  const found = layers.find(({ highest }) => highest !== undefined);
  const none = layers
    .slice(0, found ? layers.indexOf(found) : undefined)
    .map(({ layer }) => noneWords[layer]);
  if (!found?.highest) return `${natureWords[nature]}${none.join(" and ")} in view, ${when}`;
  const { range, place } = found.highest;
  const size = `${highestWords[found.layer]} in view ${sizeWords(found.layer, range, hailUnits)}`;
  const before = none.map((words) => `${words} in view. `).join("");
  return `${natureWords[nature]}${before}${[size, place, when].filter((part) => part !== undefined).join(", ")}`;
}

const highestWords: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "Largest hail estimate",
  "mrms-reflectivity": "Highest reflectivity",
};
const noneWords: Readonly<Record<ProductId, string>> = {
  "mrms-mesh": "No hail estimate",
  "mrms-reflectivity": "No reflectivity",
};

function timeWords({ observedMs, nowMs, isNewest, isLive, knownAt }: ReadFacts): string {
  if (knownAt !== undefined) return `observed ${clockMinute(observedMs)}, as known at ${knownAt}`;
  if (!isNewest) return `observed ${minuteWithZone(observedMs)}, not the newest frame`;
  if (!isLive) return `observed ${minuteWithZone(observedMs)}, the newest frame of this event`;
  const minutes = Math.max(0, Math.round((nowMs - observedMs) / 60_000));
  if (minutes < 1) return "newest frame less than a minute old";
  return `newest frame ${minutes} ${minutes === 1 ? "minute" : "minutes"} old`;
}
