// Storm-based warnings as the Iowa Environmental Mesonet keeps them: one feature a polygon, with codes of VTEC (NWS
// Directive 10-1703). An update of a warning is a further polygon with times of its own.
import type { OverlayContent } from "../overlay.ts";
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { readInstant } from "../reading/read-instant.ts";
import { ShapeGatherer } from "../reading/shape-gatherer.ts";
import type { Feature, ParsedFeatures, Properties } from "./parse-features.ts";
import { addWarning, toWarning, toWords } from "./warning-features.ts";

const phenomena: ReadonlyMap<string, string> = new Map([
  ["TO", "Tornado"],
  ["SV", "Severe Thunderstorm"],
  ["FF", "Flash Flood"],
  ["MA", "Special Marine"],
  ["FA", "Flood"],
  ["FL", "Flood"],
  ["EW", "Extreme Wind"],
  ["SQ", "Snow Squall"],
  ["DS", "Dust Storm"],
]);
const significances: ReadonlyMap<string, string> = new Map([
  ["W", "Warning"],
  ["A", "Watch"],
  ["Y", "Advisory"],
  ["S", "Statement"],
]);
/** Actions that end a warning. */
const endings: readonly unknown[] = ["CAN", "EXP", "UPG"];

/** Properties are in upper case in the archive's own files. */
export function isStormBasedWarning(properties: Properties): boolean {
  const names = new Set(Object.keys(properties).map((name) => name.toLowerCase()));
  return (
    (names.has("phenomena") && names.has("significance") && names.has("wfo")) ||
    (names.has("phenom") && names.has("sig") && names.has("wfo"))
  );
}

export function toStormBasedWarnings(name: string, { features }: ParsedFeatures): OverlayContent {
  const gatherer = new ShapeGatherer(name);
  const inLowerCase = features.map(({ properties, geometries }) => ({
    geometries,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]),
    ),
  }));
  for (const feature of inLowerCase) addPolygon(gatherer, feature);
  return gatherer.finish("warnings");
}

function addPolygon(gatherer: ShapeGatherer, feature: Feature): void {
  const { properties } = feature;
  if (endings.includes(properties.status)) return;
  const toMs = readInstant(properties.polygon_end ?? properties.expire ?? properties.expired);
  const expireMs = readInstant(properties.expire ?? properties.expired);
  if (properties.status === "NEW" && toMs !== undefined && expireMs !== undefined && toMs < expireMs)
    gatherer.note(
      "Polygons end where the file says that they were changed or canceled, which may be before they expire",
    );
  const title = findTitle(properties);
  const office = toWords(properties.wfo);
  const event = typeof properties.eventid === "number" ? ` ${properties.eventid}` : "";
  addWarning(gatherer, feature, {
    fromMs: readInstant(properties.polygon_begin ?? properties.issue ?? properties.issued),
    toMs,
    warning: toWarning(title, office),
    text: toPlainText(
      [`${title}${event}`, office && `NWS ${office}`, ...listTags(properties)].filter(Boolean).join("\n"),
    ),
  });
}

function findTitle(properties: Properties): string {
  const written = toWords(properties.ps);
  if (written !== undefined) return written;
  const phenomenon = String(properties.phenomena ?? properties.phenom);
  const significance = String(properties.significance ?? properties.sig);
  const words = `${phenomena.get(phenomenon) ?? phenomenon} ${significances.get(significance) ?? significance}`;
  return toLabel(words) ?? "Warning";
}

/** Lists the sizes and speeds that the warning names. */
function listTags({ hailtag, windtag, tornadotag, damagetag }: Properties): string[] {
  const has = (tag: unknown): boolean => tag !== null && tag !== undefined && tag !== "";
  return [
    ...(has(hailtag) ? [`Hail ${String(hailtag)} in`] : []),
    ...(has(windtag) ? [`Wind ${String(windtag)} mph`] : []),
    ...(has(tornadotag) ? [`Tornado ${String(tornadotag)}`.toLowerCase()] : []),
    ...(has(damagetag) ? [`Damage ${String(damagetag)}`.toLowerCase()] : []),
  ];
}
