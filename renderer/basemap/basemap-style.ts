// The basemap's MapLibre style: dark and quiet, so that the storm is brightest. Land is below the storm, lines are
// above it, labels above the lines. All data and fonts come from this origin.
import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from "maplibre-gl";
import mediumLatin from "@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2?url";
import semiBoldLatin from "@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff2?url";
import mediumLatinExt from "@fontsource/noto-sans/files/noto-sans-latin-ext-500-normal.woff2?url";
import semiBoldLatinExt from "@fontsource/noto-sans/files/noto-sans-latin-ext-600-normal.woff2?url";
import { bordersUrl, countiesUrl, landUrl, placesUrl } from "virtual:basemap";
import type { BoundaryKind } from "../../shared/geo/basemap-features.ts";

/** The storm layer is inserted below this one, and so below all lines and labels. */
export const firstLineLayer = "county-lines";
export const placeDotImage = "place-dot";

const colors = {
  water: "#070b10",
  land: "#131b23",
  foreignLand: "#10171e",
  county: "#2b3846",
  coast: "#2b3846",
  casing: "#070b10",
  state: "#b9c4cf",
  label: "#e8eef4",
  quietLabel: "#d3dbe3",
  halo: "#070b10",
} as const;

const lineKinds = { type: "geojson", data: "" } as const;

export function createBasemapStyle(): StyleSpecification {
  return {
    version: 8,
    name: "Echotop",
    "font-faces": {
      "Noto Sans Medium": fontFiles(mediumLatin, mediumLatinExt),
      "Noto Sans SemiBold": fontFiles(semiBoldLatin, semiBoldLatinExt),
    },
    sources: {
      land: { type: "geojson", data: toAddress(landUrl), tolerance: 0.3, maxzoom: 12 },
      borders: { ...lineKinds, data: toAddress(bordersUrl), tolerance: 0.3, maxzoom: 12 },
      counties: { ...lineKinds, data: toAddress(countiesUrl), tolerance: 0.3, maxzoom: 12 },
      places: { type: "geojson", data: toAddress(placesUrl), maxzoom: 12 },
    },
    layers: [...landLayers(), ...lineLayers(), ...labelLayers()],
    // No fading: labels that appear and vanish must not distract from the storm.
    transition: { duration: 0, delay: 0 },
  };
}

/** Draws a small disc with a dark rim, at two pixels per CSS pixel. */
export function createPlaceDot(): { width: number; height: number; data: Uint8ClampedArray } {
  const size = 12;
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2);
      const disc = clamp01(3.2 - distance + 0.5);
      const rim = clamp01(5 - distance + 0.5) * 0.85;
      const alpha = disc + rim * (1 - disc);
      const light = (232 * disc) / Math.max(alpha, 0.001);
      data.set([light, light, light, alpha * 255], (y * size + x) * 4);
    }
  }
  return { width: size, height: size, data };
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function landLayers(): LayerSpecification[] {
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    landLayer("land", colors.foreignLand),
    {
      // The two atlases disagree by a few hundred meters about river borders; this line covers the gap.
      id: "border-seam",
      type: "line",
      source: "borders",
      filter: isKind("border"),
      paint: {
        "line-color": colors.foreignLand,
        "line-width": ["interpolate", ["exponential", 2], ["zoom"], 5, 1, 13, 256],
      },
    },
    landLayer("us-land", colors.land),
  ];
}

function landLayer(kind: BoundaryKind, color: string): LayerSpecification {
  return {
    id: kind,
    type: "fill",
    source: "land",
    filter: isKind(kind),
    paint: { "fill-color": color },
  };
}

function lineLayers(): LayerSpecification[] {
  return [
    {
      id: firstLineLayer,
      type: "line",
      source: "counties",
      minzoom: 5.5,
      paint: {
        "line-color": colors.county,
        "line-width": ["interpolate", ["linear"], ["zoom"], 6, 0.6, 9, 1, 13, 1.4],
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 5.5, 0, 7, 0.75, 9, 1],
      },
    },
    {
      id: "coast-lines",
      type: "line",
      source: "borders",
      filter: isKind("coast"),
      paint: { "line-color": colors.coast, "line-width": 0.8 },
    },
    {
      // Keeps a light line readable over bright echo.
      id: "state-casing",
      type: "line",
      source: "borders",
      filter: isKind("state", "border"),
      layout: { "line-join": "round" },
      paint: {
        "line-color": colors.casing,
        "line-opacity": 0.55,
        "line-width": ["interpolate", ["linear"], ["zoom"], 3, 1.8, 6, 3.4, 12, 4.4],
      },
    },
    {
      id: "state-lines",
      type: "line",
      source: "borders",
      filter: isKind("state", "border"),
      layout: { "line-join": "round" },
      paint: {
        "line-color": colors.state,
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 3, 0.45, 6, 0.8],
        "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.6, 6, 1.25, 12, 1.7],
      },
    },
  ];
}

function labelLayers(): LayerSpecification[] {
  const layout: SymbolLayerSpecification["layout"] = {
    "text-field": ["get", "name"],
    "text-font": [
      "match",
      ["get", "size"],
      1,
      ["literal", ["Noto Sans SemiBold"]],
      ["literal", ["Noto Sans Medium"]],
    ],
    "text-size": [
      "interpolate",
      ["linear"],
      ["zoom"],
      3,
      ["match", ["get", "size"], 1, 12, 11],
      7,
      ["match", ["get", "size"], 1, 14, 2, 12.5, 11.5],
      11,
      ["match", ["get", "size"], 1, 17, 2, 15, 13],
    ],
    "text-variable-anchor": ["left", "right"],
    "text-radial-offset": 0.45,
    "text-justify": "auto",
    "text-max-width": 12,
    "text-padding": 3,
    "icon-image": placeDotImage,
    "icon-padding": 0,
    "symbol-sort-key": ["get", "rank"],
  };
  return [
    {
      id: "places",
      type: "symbol",
      source: "places",
      filter: ["<=", ["get", "zoom"], ["zoom"]],
      layout,
      paint: {
        "text-color": bySize(colors.label, colors.label, colors.quietLabel),
        "text-halo-color": colors.halo,
        "text-halo-width": 1.7,
        "text-halo-blur": 0.2,
      },
    },
  ];
}

function bySize(
  ...[first, second, third]: [string, string, string]
): DataDrivenPropertyValueSpecification<string> {
  return ["match", ["get", "size"], 1, first, 2, second, third];
}

function isKind(...kinds: BoundaryKind[]): ExpressionSpecification {
  return ["in", ["get", "kind"], ["literal", kinds]];
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
