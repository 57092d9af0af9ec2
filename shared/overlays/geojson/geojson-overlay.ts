// Reads GeoJSON: the official forms by what their features have, everything else as a person's own.
import type { OverlayContent } from "../overlay.ts";
import type { OverlayFile } from "../reading/shape-gatherer.ts";
import { isStormBasedWarning, toStormBasedWarnings } from "./iem-warnings.ts";
import { isAlert, toAlerts } from "./nws-alerts.ts";
import { parseGeoJson } from "./parse-features.ts";
import { toPlainOverlay } from "./plain-geojson.ts";

export function readGeoJson(file: OverlayFile): OverlayContent {
  const parsed = parseGeoJson(file);
  const first = parsed.features[0]?.properties;
  if (first && isAlert(first)) return toAlerts(file.name, parsed);
  if (first && isStormBasedWarning(first)) return toStormBasedWarnings(file.name, parsed);
  return toPlainOverlay(file.name, "geojson", parsed);
}
