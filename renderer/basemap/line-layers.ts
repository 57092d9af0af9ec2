// The lines above the storm: coast, counties, highways, warning areas, states. Each has a casing, which keeps it
// readable over any echo.
import type {
  DataDrivenPropertyValueSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from "maplibre-gl";
import type { BasemapColors } from "./basemap-colors.ts";
import type { GroundPart } from "./ground-parts.ts";
import { isKind, partOf } from "./land-layers.ts";

/** The storm layer is inserted below this one, and so below all lines and labels. */
export const firstLineLayer = "coast-lines";
/** Opacity of a casing where the line itself is whole. */
export const casingOpacity = 0.9;

export function lineLayers(colors: BasemapColors): LayerSpecification[] {
  return [
    {
      id: "coast-lines",
      type: "line",
      source: "land",
      filter: isKind("coast"),
      paint: { "line-color": colors.coast, "line-width": 0.8 },
    },
    ...cased({
      id: "county",
      source: "counties",
      part: "counties",
      minzoom: 5.5,
      color: colors.county,
      casing: colors.casing,
      widths: [5.5, 0.7, 7, 0.9, 13, 1.4],
      casingPx: 0.6,
    }),
    ...cased({
      id: "highway",
      source: "highways",
      part: "highways",
      minzoom: 4.7,
      color: colors.highway,
      casing: colors.casing,
      widths: [4.7, 0.6, 7, 1.1, 12, 2.2],
      casingPx: 0.45,
    }),
    ...cased({
      id: "warning-area",
      source: "warningAreas",
      part: "warning-areas",
      minzoom: 5,
      color: colors.warningArea,
      casing: colors.casing,
      widths: [5, 0.9, 7, 1.4, 12, 2],
      casingPx: 0.8,
      dashes: [5, 2.5],
      filter: ["==", ["geometry-type"], "LineString"],
    }),
    ...cased({
      id: "state",
      source: "land",
      color: colors.state,
      casing: colors.casing,
      widths: [3, 0.6, 6, 1.3, 12, 1.8],
      casingPx: 1.1,
      filter: isKind("state", "border"),
    }),
  ];
}

interface CasedLine {
  readonly id: string;
  readonly source: string;
  readonly part?: GroundPart;
  readonly minzoom?: number;
  readonly color: string;
  readonly casing: string;
  /** Widths of the line in pixels, after the zoom of each. */
  readonly widths: readonly number[];
  /** Width of the casing on each side, in pixels. */
  readonly casingPx: number;
  /** Lengths of dashes and gaps, in widths of the line. */
  readonly dashes?: [number, number];
  readonly filter?: LineLayerSpecification["filter"];
}

/** Returns a casing and the line on it. */
function cased(line: CasedLine): LayerSpecification[] {
  const common = {
    type: "line",
    source: line.source,
    ...(line.part !== undefined && { metadata: partOf(line.part) }),
    ...(line.minzoom !== undefined && { minzoom: line.minzoom }),
    ...(line.filter !== undefined && { filter: line.filter }),
  } as const;
  return [
    {
      ...common,
      id: `${line.id}-casing`,
      layout: { "line-join": "round" },
      paint: {
        "line-color": line.casing,
        "line-opacity": casingOpacity,
        "line-width": toWidth(line.widths, 2 * line.casingPx),
      },
    },
    {
      ...common,
      id: `${line.id}-lines`,
      layout: { "line-join": "round" },
      paint: {
        "line-color": line.color,
        "line-width": toWidth(line.widths, 0),
        ...(line.dashes && { "line-dasharray": line.dashes }),
      },
    },
  ];
}

function toWidth(widths: readonly number[], extraPx: number): DataDrivenPropertyValueSpecification<number> {
  const stops = widths.map((value, index) => (index % 2 === 0 ? value : value + extraPx));
  return ["interpolate", ["linear"], ["zoom"], ...(stops as [number, number, ...number[]])];
}
