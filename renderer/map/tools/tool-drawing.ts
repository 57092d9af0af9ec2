// Draws what the tools have set on the map: lines, ticks with times, the fan of a motion, rings, points, cells.
import type { GeoJSONSource, Map as MapLibreMap } from "maplibre-gl";
import { drawTick, tickImage, tickPixelRatio } from "./tick-image.ts";
import { toolLayers, toolSource } from "./tool-layers.ts";

type MarkData = Parameters<GeoJSONSource["setData"]>[0];
type MapPoint = readonly [longitudeDeg: number, latitudeDeg: number];

export interface ToolMarks {
  readonly lines: readonly {
    /** A line set by clicks, one carried on from them, a range ring, or the way from a report to an estimate. */
    readonly kind: "set" | "ahead" | "ring" | "link";
    readonly points: readonly MapPoint[];
  }[];
  /** A closed ring of points. */
  readonly fan: readonly MapPoint[] | undefined;
  /** Marks across the line, which runs in direction `bearing` there. */
  readonly ticks: readonly { readonly at: MapPoint; readonly bearing: number; readonly words: string }[];
  readonly labels: readonly { readonly at: MapPoint; readonly words: string }[];
  readonly points: readonly MapPoint[];
  /** Centers of cells whose estimate is meant. */
  readonly cells: readonly MapPoint[];
}

export const noMarks: ToolMarks = {
  ...{ lines: [], fan: undefined, ticks: [], labels: [] },
  ...{ points: [], cells: [] },
};

export class ToolDrawing {
  #marks = noMarks;

  /** Call it on each new style, which has no custom images, sources or layers. */
  addTo(map: MapLibreMap): void {
    if (!map.hasImage(tickImage)) map.addImage(tickImage, drawTick(), { pixelRatio: tickPixelRatio });
    if (!map.getSource(toolSource)) {
      map.addSource(toolSource, { type: "geojson", data: toMarkData(this.#marks) });
    }
    for (const layer of toolLayers) if (!map.getLayer(layer.id)) map.addLayer(layer);
  }

  /** May be called before the map has a style. */
  set(map: MapLibreMap | undefined, marks: ToolMarks): void {
    this.#marks = marks;
    void map?.getSource<GeoJSONSource>(toolSource)?.setData(toMarkData(marks));
  }
}

function toMarkData({ lines, fan, ticks, labels, points, cells }: ToolMarks): MarkData {
  const copy = (all: readonly MapPoint[]): number[][] => all.map((point) => [...point]);
  return {
    type: "FeatureCollection",
    features: [
      ...(fan
        ? [
            {
              type: "Feature" as const,
              properties: { kind: "fan" },
              geometry: { type: "Polygon" as const, coordinates: [copy(fan)] },
            },
          ]
        : []),
      ...lines.map(({ kind, points: line }) => ({
        type: "Feature" as const,
        properties: { kind },
        geometry: { type: "LineString" as const, coordinates: copy(line) },
      })),
      ...ticks.map(({ at, bearing, words }) => toPointData(at, { kind: "tick", bearing, words })),
      ...labels.map(({ at, words }) => toPointData(at, { kind: "label", words })),
      ...points.map((point) => toPointData(point, { kind: "point" })),
      ...cells.map((cell) => toPointData(cell, { kind: "cell" })),
    ],
  };
}

function toPointData(
  at: MapPoint,
  properties: Readonly<Record<string, string | number>>,
): GeoJSON.Feature<GeoJSON.Point> {
  return { type: "Feature", properties, geometry: { type: "Point", coordinates: [...at] } };
}
