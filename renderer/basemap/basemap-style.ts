// The basemap's MapLibre style: quiet, so that the storm stands out. Land is below the storm, lines are above it,
// labels above the lines. All data and fonts come from this origin.
import type { GeoJSONSourceSpecification, StyleSpecification } from "maplibre-gl";
import mediumLatin from "@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2?url";
import semiBoldLatin from "@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff2?url";
import mediumLatinExt from "@fontsource/noto-sans/files/noto-sans-latin-ext-500-normal.woff2?url";
import semiBoldLatinExt from "@fontsource/noto-sans/files/noto-sans-latin-ext-600-normal.woff2?url";
import * as files from "virtual:basemap";
import { basemapColors } from "./basemap-colors.ts";
import type { GroundPart, MapTheme } from "./ground-parts.ts";
import { labelLayers } from "./label-layers.ts";
import { landLayers } from "./land-layers.ts";
import { lineLayers } from "./line-layers.ts";

export interface GroundSource {
  readonly url: string;
  /** The source is empty before the map has reached this zoom; undefined: it loads with the map. */
  readonly fromZoom?: number;
  /** The source is empty before one of these parts is shown; undefined: it is needed always. */
  readonly parts?: readonly GroundPart[];
}

/** The sources by their name in the style. What is not seen at first loads when it is. */
export const groundSources: Readonly<Record<string, GroundSource>> = {
  // Land, lakes, rivers, coast, borders and states are one source: before the layers of another source, the renderer
  // fills the whole screen with the new tiles' masks.
  land: { url: toAddress(files.landUrl) },
  places: { url: toAddress(files.placesUrl) },
  counties: { url: toAddress(files.countiesUrl), fromZoom: 5.2, parts: ["counties"] },
  countyNames: { url: toAddress(files.countyNamesUrl), fromZoom: 6.7, parts: ["counties"] },
  highways: { url: toAddress(files.highwaysUrl), fromZoom: 4.4, parts: ["highways"] },
  warningAreas: { url: toAddress(files.warningAreasUrl), fromZoom: 4.7, parts: ["warning-areas"] },
  sites: { url: toAddress(files.sitesUrl), parts: ["airports", "radars"] },
};

export function createBasemapStyle(theme: MapTheme): StyleSpecification {
  const colors = basemapColors[theme];
  return {
    version: 8,
    name: "Echotop",
    "font-faces": {
      "Noto Sans Medium": fontFiles(mediumLatin, mediumLatinExt),
      "Noto Sans SemiBold": fontFiles(semiBoldLatin, semiBoldLatinExt),
    },
    sources: Object.fromEntries(
      Object.entries(groundSources).map(([name, source]) => [name, toSource(source)]),
    ),
    layers: [...landLayers(colors), ...lineLayers(colors), ...labelLayers(colors)],
    // No fading: labels that appear and vanish must not distract from the storm.
    transition: { duration: 0, delay: 0 },
  };
}

function toSource({ url, fromZoom, parts }: GroundSource): GeoJSONSourceSpecification {
  const isLate = fromZoom !== undefined || parts !== undefined;
  return {
    type: "geojson",
    data: isLate ? { type: "FeatureCollection", features: [] } : url,
    tolerance: 0.3,
    maxzoom: 12,
  };
}

/** Returns both files of a font; the second has the letters of place names beyond Latin-1. */
function fontFiles(latin: string, latinExt: string): { url: string; "unicode-range": string[] }[] {
  return [
    { url: toAddress(latin), "unicode-range": ["U+0000-00FF", "U+02BB-02BC", "U+2000-206F"] },
    { url: toAddress(latinExt), "unicode-range": ["U+0100-024F", "U+1E00-1EFF"] },
  ];
}

/** Resolves a URL against the page; MapLibre's workers have another base URL. */
function toAddress(url: string): string {
  return new URL(url, document.baseURI).href;
}
