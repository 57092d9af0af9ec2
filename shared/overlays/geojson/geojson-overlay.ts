// Reads GeoJSON: the official forms by what their features have, everything else as a person's own.
import type { OverlayContent } from "../overlay.ts";
import type { OverlayFile } from "../reading/shape-gatherer.ts";
import { parseGeoJson } from "./parse-features.ts";
import { toPlainOverlay } from "./plain-geojson.ts";

export function readGeoJson(file: OverlayFile): OverlayContent {
  return toPlainOverlay(file.name, "geojson", parseGeoJson(file));
}
