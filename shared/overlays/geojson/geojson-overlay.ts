// Reads GeoJSON: the official forms by what their features have, everything else as a person's own.
import type { OverlayContent, OverlayFormat } from "../overlay.ts";
import type { OverlayFile } from "../reading/shape-gatherer.ts";
import { isStormBasedWarning, toStormBasedWarnings } from "./iem-warnings.ts";
import { isAlert, toAlerts } from "./nws-alerts.ts";
import { parseGeoJson, type ParsedFeatures } from "./parse-features.ts";
import { toPlainOverlay } from "./plain-geojson.ts";

export function readGeoJson(file: OverlayFile): OverlayContent {
  return toOverlay(file.name, "geojson", parseGeoJson(file));
}

/** Converts features that may come from another format, which `format` names unless they are of an official form. */
export function toOverlay(name: string, format: OverlayFormat, parsed: ParsedFeatures): OverlayContent {
  const first = parsed.features[0]?.properties;
  if (first && isAlert(first)) return toAlerts(name, parsed);
  if (first && isStormBasedWarning(first)) return toStormBasedWarnings(name, parsed);
  return toPlainOverlay(name, format, parsed);
}
