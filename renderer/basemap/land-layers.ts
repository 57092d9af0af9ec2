// The map layers below the storm: water, land, lakes and rivers.
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import type { BoundaryKind, WaterKind } from "../../shared/geo/basemap-features.ts";
import type { BasemapColors } from "./basemap-colors.ts";
import type { GroundPart } from "./ground-parts.ts";

export function landLayers(colors: BasemapColors): LayerSpecification[] {
  return [
    { id: "water", type: "background", paint: { "background-color": colors.water } },
    landLayer("land", colors.foreignLand),
    // The shapes of other countries have no lakes. Below the United States, whose shores are finer.
    lakeLayer("great-lake", colors.water),
    {
      // The two atlases disagree by a few hundred meters about river borders; this line covers the gap.
      id: "border-seam",
      type: "line",
      source: "land",
      filter: isKind("border"),
      paint: {
        "line-color": colors.foreignLand,
        "line-width": ["interpolate", ["exponential", 2], ["zoom"], 5, 1, 13, 256],
      },
    },
    landLayer("us-land", colors.land),
    { ...lakeLayer("lake", colors.water), metadata: partOf("water") },
    {
      id: "rivers",
      type: "line",
      source: "land",
      metadata: partOf("water"),
      minzoom: 4,
      filter: isWater("river"),
      layout: { "line-join": "round", "line-cap": "round" },
      paint: {
        "line-color": colors.river,
        "line-width": ["interpolate", ["linear"], ["zoom"], 4, 0.7, 7, 1.6, 12, 2.6],
      },
    },
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

function lakeLayer(kind: WaterKind, color: string): LayerSpecification {
  return {
    id: `${kind}s`,
    type: "fill",
    source: "land",
    filter: isWater(kind),
    paint: { "fill-color": color },
  };
}

/** Marks the part of the ground that switches a layer. */
export function partOf(part: GroundPart): { readonly part: GroundPart } {
  return { part };
}

export function isKind(...kinds: BoundaryKind[]): ExpressionSpecification {
  return ["in", ["get", "kind"], ["literal", kinds]];
}

export function isWater(kind: WaterKind): ExpressionSpecification {
  return ["==", ["get", "kind"], kind];
}
