// The map layers of one overlay: areas, lines with a dark casing, words along them, points and reports.
import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
  SymbolLayerSpecification,
} from "maplibre-gl";
import { casingColor, reportColor } from "./overlay-colors.ts";

const font = ["Noto Sans SemiBold"];
const casingPx = 1.5;
const color: ExpressionSpecification = ["get", "color"];
const isCrowded: ExpressionSpecification = ["get", "isCrowded"];
const halo = { "text-halo-color": casingColor, "text-halo-width": 1.7 };

function isKind(...kinds: readonly string[]): ExpressionSpecification {
  return ["in", ["get", "kind"], ["literal", [...kinds]]];
}

const isApart: ExpressionSpecification = ["!", isCrowded];
/** From these zooms crowded shapes are drawn like others. */
const crowdZoom = { casings: 8, reports: 7, words: 8 } as const;

/**
 * Returns the width of a line, thinner far out unless its file says it: of crowded ones at most a pixel, of which
 * thousands are in view.
 */
function toWidth(extraPx: number): DataDrivenPropertyValueSpecification<number> {
  const width: ExpressionSpecification = ["+", ["get", "widthPx"], extraPx];
  const halfWidth: ExpressionSpecification = ["*", width, 0.5];
  const farOut: ExpressionSpecification = [
    "case",
    isCrowded,
    ["min", 1, halfWidth],
    ["==", ["get", "hasOwnWidth"], true],
    width,
    halfWidth,
  ];
  const nearer: ExpressionSpecification = ["case", isCrowded, farOut, width];
  return ["interpolate", ["linear"], ["zoom"], 4, farOut, 7, nearer, 8, width];
}

const casing: NonNullable<LineLayerSpecification["paint"]> = {
  "line-color": casingColor,
  "line-opacity": 0.9,
  "line-width": toWidth(2 * casingPx),
};

const edgeLayout: NonNullable<SymbolLayerSpecification["layout"]> = {
  "symbol-placement": "line",
  // A place that a town's name has taken is not the only one.
  "symbol-spacing": 260,
  "text-field": ["get", "words"],
  "text-font": font,
  "text-size": 12,
  "text-offset": ["match", ["get", "inside"], "below", ["literal", [0, 0.95]], ["literal", [0, -0.95]]],
  "text-max-angle": 25,
  "text-padding": 4,
};

/** Words in the place and size that their file says lie over each other, as in the programs that such files are for. */
const placedWordsLayout: NonNullable<SymbolLayerSpecification["layout"]> = {
  "text-field": ["get", "words"],
  "text-font": font,
  "text-size": ["get", "labelPx"],
  "text-offset": ["array", "number", 2, ["get", "labelAt"]],
  "text-max-width": 60,
  "text-allow-overlap": true,
};

/** A zoom more than the words need: on a shorter edge, MapLibre leaves out words that follow it. */
const isLongEdge: ExpressionSpecification = ["<=", ["+", ["get", "fitZoom"], 1], ["zoom"]];
/** A filter sees whole zooms only. */
const isShortEdge: ExpressionSpecification = [
  "all",
  ["!", isLongEdge],
  ["<=", ["-", ["get", "fitZoom"], 0.8], ["zoom"]],
];

export const reportImagePrefix = "report-";

/** The sign of a report without its size or letter, which nobody could read farther out than this zoom. */
export const plainReport = "";
const readableZoom = 6.5;

const reportLayout: NonNullable<SymbolLayerSpecification["layout"]> = {
  "icon-image": [
    "step",
    ["zoom"],
    `${reportImagePrefix}${plainReport}`,
    readableZoom,
    ["concat", reportImagePrefix, ["get", "mark"]],
  ],
  "icon-size": [
    "interpolate",
    ["linear"],
    ["zoom"],
    4,
    0.4,
    readableZoom - 0.01,
    0.6,
    readableZoom,
    1,
    9,
    1.25,
  ],
  // The larger of two reports at one place is on top.
  "symbol-sort-key": ["get", "rank"],
  "icon-allow-overlap": true,
};

export const overlaySourcePrefix = "overlay-";

export interface OverlaySources {
  readonly shapes: string;
  /** Lines along which words stand: apart, because words need far more of a line beyond a tile's edge than lines do. */
  readonly words: string;
}

export function overlaySourceIds(id: string): OverlaySources {
  const shapes = `${overlaySourcePrefix}${id}`;
  return { shapes, words: `${shapes}-words` };
}

/** Width of what a tile holds beyond its edge, in pixels of a tile of 512; for shapes, room for half their line. */
export const bufferPx: Readonly<Record<keyof OverlaySources, number>> = { shapes: 16, words: 128 };

type LayerOf = (
  name: string,
  filter: FilterSpecification,
  source?: keyof OverlaySources,
) => { readonly id: string; readonly source: string; readonly filter: FilterSpecification };

function layerOf(id: string): LayerOf {
  const sources = overlaySourceIds(id);
  return (name, filter, source = "shapes") => ({
    id: `${sources.shapes}-${name}`,
    source: sources[source],
    filter,
  });
}

/** Returns the layers below the names of the map, the lowest first. */
export function overlayLayers(id: string): LayerSpecification[] {
  const layer = layerOf(id);
  return [
    {
      ...layer("areas", ["has", "fill"]),
      type: "fill",
      paint: {
        "fill-color": ["get", "fill"],
        "fill-opacity": ["get", "fillOpacity"],
        "fill-antialias": false,
      },
    },
    {
      ...layer("casings", ["all", isKind("line", "warning"), isApart]),
      type: "line",
      paint: casing,
    },
    {
      ...layer("crowded-casings", ["all", isKind("line", "warning"), isCrowded]),
      type: "line",
      minzoom: crowdZoom.casings,
      paint: casing,
    },
    {
      ...layer("lines", ["all", isKind("line", "warning"), ["!", ["get", "isDashed"]]]),
      type: "line",
      paint: { "line-color": color, "line-width": toWidth(0) },
    },
    {
      ...layer("dashes", ["all", isKind("warning"), ["get", "isDashed"]]),
      type: "line",
      paint: { "line-color": color, "line-width": toWidth(0), "line-dasharray": [3, 1.5] },
    },
    {
      ...layer("points", isKind("point")),
      type: "circle",
      paint: {
        "circle-radius": 4,
        "circle-color": casingColor,
        "circle-opacity": 0.7,
        "circle-stroke-color": color,
        "circle-stroke-width": 2,
      },
    },
    {
      ...layer("edge-words", ["all", isKind("edge"), isApart], "words"),
      type: "symbol",
      minzoom: 5,
      layout: edgeLayout,
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("crowded-edge-words", ["all", isKind("edge", "warning"), isCrowded], "words"),
      type: "symbol",
      minzoom: crowdZoom.words,
      layout: edgeLayout,
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("line-words", isKind("line"), "words"),
      type: "symbol",
      minzoom: 6,
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 420,
        "text-field": ["get", "words"],
        "text-font": font,
        "text-size": 12,
        "text-offset": [0, 0.9],
      },
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("placed-words", ["all", isKind("placed"), isApart], "words"),
      type: "symbol",
      layout: placedWordsLayout,
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("crowded-placed-words", ["all", isKind("placed"), isCrowded], "words"),
      type: "symbol",
      minzoom: crowdZoom.words,
      layout: placedWordsLayout,
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("point-words", ["all", isKind("point"), ["has", "label"], ["!", ["has", "labelAt"]]]),
      type: "symbol",
      minzoom: 6,
      layout: {
        "text-field": ["get", "label"],
        "text-font": font,
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [0.75, 0],
        "text-max-width": 16,
        "text-justify": "left",
      },
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("report-dots", ["all", isKind("report"), isCrowded]),
      type: "circle",
      maxzoom: crowdZoom.reports,
      paint: {
        // Thousands of them: each pixel less is a shorter frame.
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 4, 1.5, crowdZoom.reports, 2.25],
        "circle-color": reportColor,
        "circle-stroke-color": casingColor,
        "circle-stroke-width": 0.75,
      },
    },
  ];
}

/** Returns the layers above the names of the map, which make room for them, the lowest first. */
export function overlaySigns(id: string): LayerSpecification[] {
  const layer = layerOf(id);
  return [
    {
      ...layer("crowded-reports", ["all", isKind("report"), isCrowded]),
      type: "symbol",
      minzoom: crowdZoom.reports,
      // Names make no room for thousands.
      layout: { ...reportLayout, "icon-ignore-placement": true },
    },
    { ...layer("reports", ["all", isKind("report"), isApart]), type: "symbol", layout: reportLayout },
    // Placed before reports, which are drawn wherever they are.
    {
      ...layer("warning-words", ["all", isKind("warning"), isApart, isLongEdge], "words"),
      type: "symbol",
      minzoom: 5,
      layout: edgeLayout,
      paint: { "text-color": color, ...halo },
    },
    {
      ...layer("warning-middles", ["all", isKind("middle"), isShortEdge], "words"),
      type: "symbol",
      minzoom: 5,
      layout: {
        ...edgeLayout,
        "symbol-placement": "point",
        "text-rotate": ["get", "rotateDeg"],
        "text-rotation-alignment": "map",
        "text-max-width": 40,
        // The box around turned words has room enough.
        "text-padding": 0,
      },
      paint: { "text-color": color, ...halo },
    },
  ];
}
