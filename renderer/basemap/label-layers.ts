// The labels, the most important last: MapLibre places the last layer first, and drops what then has no room.
import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  LayerSpecification,
} from "maplibre-gl";
import type { BasemapColors } from "./basemap-colors.ts";
import { isWater, partOf } from "./land-layers.ts";
import { groundImages } from "./ground-images.ts";

const medium = ["Noto Sans Medium"];
const semiBold = ["Noto Sans SemiBold"];

export function labelLayers(colors: BasemapColors): LayerSpecification[] {
  const halo = { "text-halo-color": colors.halo, "text-halo-width": 1.5, "text-halo-blur": 0.2 };
  return [
    placeLayer("towns", colors, ["==", ["get", "size"], 3]),
    {
      id: "county-names",
      type: "symbol",
      source: "countyNames",
      metadata: partOf("counties"),
      minzoom: 7,
      layout: {
        "text-field": ["get", "name"],
        "text-font": medium,
        "text-size": ["interpolate", ["linear"], ["zoom"], 7, 10, 9, 12, 12, 14],
        "text-letter-spacing": 0.08,
        "text-transform": "uppercase",
        "text-max-width": 7,
        "text-padding": 3,
        // A name that would meet a town's moves aside within its county.
        "text-variable-anchor": ["center", "top", "bottom", "left", "right"],
        "text-radial-offset": 1.2,
      },
      paint: { "text-color": colors.quietLabel, ...halo },
    },
    {
      id: "river-names",
      type: "symbol",
      source: "land",
      metadata: partOf("water"),
      minzoom: 6,
      filter: ["all", isWater("river"), ["has", "name"]],
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 400,
        "text-field": ["concat", ["get", "name"], " R."],
        "text-font": medium,
        "text-size": 11,
        "text-letter-spacing": 0.05,
      },
      paint: { "text-color": colors.waterLabel, ...halo },
    },
    {
      id: "lake-names",
      type: "symbol",
      source: "land",
      metadata: partOf("water"),
      minzoom: 3.5,
      filter: [
        "all",
        isWater("lake-name"),
        // A filter sees whole zooms only: small lakes come at 6.
        ["any", ["has", "great"], [">=", ["zoom"], 6]],
      ],
      layout: {
        "text-field": ["get", "name"],
        "text-font": medium,
        "text-size": ["interpolate", ["linear"], ["zoom"], 4, 10.5, 8, 13],
        "text-letter-spacing": 0.05,
        "text-max-width": 6,
      },
      paint: { "text-color": colors.waterLabel, ...halo },
    },
    {
      id: "highway-shields",
      type: "symbol",
      source: "highways",
      metadata: partOf("highways"),
      minzoom: 5.5,
      filter: ["has", "shield"],
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 320,
        "text-field": ["get", "shield"],
        "text-font": semiBold,
        "text-size": 10,
        "text-rotation-alignment": "viewport",
        "icon-rotation-alignment": "viewport",
        "icon-image": groundImages.shield,
        "icon-text-fit": "both",
        "icon-text-fit-padding": [0, 3, 0, 3],
        "text-padding": 8,
        "icon-padding": 8,
      },
      paint: { "text-color": colors.shieldLabel },
    },
    {
      id: "warning-area-names",
      type: "symbol",
      source: "warningAreas",
      metadata: partOf("warning-areas"),
      minzoom: 5,
      filter: ["has", "office"],
      layout: {
        "text-field": ["get", "office"],
        "text-font": semiBold,
        "text-size": ["interpolate", ["linear"], ["zoom"], 5, 11, 8, 14],
        "text-letter-spacing": 0.12,
      },
      paint: { "text-color": colors.warningArea, ...halo },
    },
    placeLayer("places", colors, ["<", ["get", "size"], 3]),
    // They are off by default: a person who switches them on wants them before the cities.
    siteLayer("airport", colors, [
      "any",
      ["all", ["==", ["get", "size"], 1], [">=", ["zoom"], 5]],
      ["all", ["==", ["get", "size"], 2], [">=", ["zoom"], 7]],
      [">=", ["zoom"], 9],
    ]),
    siteLayer("radar", colors, [">=", ["zoom"], 4]),
  ];
}

function siteLayer(
  kind: "airport" | "radar",
  colors: BasemapColors,
  when: ExpressionSpecification,
): LayerSpecification {
  return {
    id: `${kind}s`,
    type: "symbol",
    source: "sites",
    metadata: partOf(`${kind}s`),
    filter: ["all", ["==", ["get", "kind"], kind], when],
    layout: {
      "icon-image": groundImages[kind],
      "text-field": ["get", "id"],
      "text-font": medium,
      "text-size": 10.5,
      "text-variable-anchor": ["right", "left", "top", "bottom"],
      "text-radial-offset": 0.75,
      "text-justify": "auto",
      "text-optional": true,
      "symbol-sort-key": ["get", "size"],
    },
    paint: {
      "text-color": colors.site,
      "text-halo-color": colors.halo,
      "text-halo-width": 1.5,
    },
  };
}

function placeLayer(id: string, colors: BasemapColors, which: ExpressionSpecification): LayerSpecification {
  return {
    id,
    type: "symbol",
    source: "places",
    metadata: partOf("cities"),
    // A filter sees whole zooms only, so the places of the next zoom compete for room too, the largest first.
    filter: ["all", which, ["<=", ["get", "zoom"], ["+", ["zoom"], 1]]],
    layout: {
      "text-field": ["get", "name"],
      "text-font": ["match", ["get", "size"], 1, ["literal", semiBold], ["literal", medium]],
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
      "text-variable-anchor": ["left", "right", "top", "bottom"],
      "text-radial-offset": 0.45,
      "text-justify": "auto",
      "text-max-width": 12,
      "text-padding": 4,
      "icon-image": groundImages.place,
      "icon-padding": 0,
      "symbol-sort-key": ["get", "rank"],
    },
    paint: {
      "text-color": bySize(colors.label, colors.label, colors.quietLabel),
      "text-halo-color": colors.halo,
      "text-halo-width": 1.7,
      "text-halo-blur": 0.2,
    },
  };
}

function bySize(
  ...[first, second, third]: [string, string, string]
): DataDrivenPropertyValueSpecification<string> {
  return ["match", ["get", "size"], 1, first, 2, second, third];
}
