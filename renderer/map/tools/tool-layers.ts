// The looks of the tools' marks: white with a dark edge, which stands out from any echo in both themes.
import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from "maplibre-gl";
import { tickImage } from "./tick-image.ts";

export const toolSource = "tools";

const white = "#ffffff";
const dark = "#070b10";
const round = { "line-cap": "round", "line-join": "round" } as const;

function ofKinds(...kinds: string[]): ExpressionSpecification {
  return ["in", ["get", "kind"], ["literal", kinds]];
}

const text: NonNullable<SymbolLayerSpecification["layout"]> = {
  "text-field": ["get", "words"],
  "text-font": ["Noto Sans SemiBold"],
  "text-size": 12,
};
const halo: NonNullable<SymbolLayerSpecification["paint"]> = {
  "text-color": white,
  "text-halo-color": dark,
  "text-halo-width": 1.8,
};

/** Bottom first. */
export const toolLayers: readonly LayerSpecification[] = [
  {
    id: "tool-fan",
    type: "fill",
    source: toolSource,
    filter: ofKinds("fan"),
    paint: { "fill-color": "#e8eef4", "fill-opacity": 0.16 },
  },
  {
    id: "tool-edges",
    type: "line",
    source: toolSource,
    filter: ofKinds("set", "ahead", "ring", "fan", "link"),
    layout: round,
    paint: {
      "line-color": dark,
      "line-width": ["match", ["get", "kind"], ["ring", "fan", "link"], 3, 5],
      "line-opacity": 0.8,
    },
  },
  {
    id: "tool-rings",
    type: "line",
    source: toolSource,
    filter: ofKinds("ring", "fan"),
    paint: { "line-color": white, "line-width": 1 },
  },
  {
    id: "tool-links",
    type: "line",
    source: toolSource,
    filter: ofKinds("link"),
    paint: { "line-color": white, "line-width": 1.5, "line-dasharray": [2, 2] },
  },
  {
    id: "tool-lines",
    type: "line",
    source: toolSource,
    filter: ofKinds("set"),
    layout: round,
    paint: { "line-color": white, "line-width": 2.5 },
  },
  {
    id: "tool-lines-ahead",
    type: "line",
    source: toolSource,
    filter: ofKinds("ahead"),
    paint: { "line-color": white, "line-width": 2, "line-dasharray": [3, 2] },
  },
  {
    id: "tool-ticks",
    type: "symbol",
    source: toolSource,
    filter: ofKinds("tick"),
    layout: {
      "icon-image": tickImage,
      "icon-rotate": ["get", "bearing"],
      "icon-rotation-alignment": "map",
      "icon-allow-overlap": true,
      "icon-ignore-placement": true,
    },
  },
  {
    id: "tool-point-edges",
    type: "circle",
    source: toolSource,
    filter: ofKinds("point"),
    paint: { "circle-radius": 8, "circle-color": dark },
  },
  {
    id: "tool-points",
    type: "circle",
    source: toolSource,
    filter: ofKinds("point"),
    paint: {
      "circle-radius": 5,
      "circle-color": dark,
      "circle-stroke-color": white,
      "circle-stroke-width": 2,
    },
  },
  {
    id: "tool-cell-edges",
    type: "circle",
    source: toolSource,
    filter: ofKinds("cell"),
    paint: {
      "circle-radius": 3.5,
      "circle-opacity": 0,
      "circle-stroke-color": dark,
      "circle-stroke-width": 3.5,
    },
  },
  {
    id: "tool-cells",
    type: "circle",
    source: toolSource,
    filter: ofKinds("cell"),
    paint: {
      "circle-radius": 7,
      "circle-opacity": 0,
      "circle-stroke-color": white,
      "circle-stroke-width": 2,
    },
  },
  {
    id: "tool-times",
    type: "symbol",
    source: toolSource,
    filter: ofKinds("tick"),
    layout: { ...text, "text-anchor": "top", "text-offset": [0, 0.8], "text-padding": 4 },
    paint: halo,
  },
  {
    id: "tool-labels",
    type: "symbol",
    source: toolSource,
    filter: ofKinds("label"),
    layout: { ...text, "text-anchor": "bottom", "text-offset": [0, -0.6] },
    paint: halo,
  },
];
