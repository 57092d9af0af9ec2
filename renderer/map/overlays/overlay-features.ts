// Shapes to the features of a map source. Pure.
import type { Feature } from "geojson";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import { findLabelEdge } from "./label-edge.ts";
import type { MapOverlay } from "./map-overlay.ts";
import { dashedWarnings, mostFillOpacity, warningColors } from "./overlay-colors.ts";

export interface ShapeProperties {
  readonly color: string;
  readonly widthPx: number;
  /** `report` is drawn as a sign, `point` as a dot with words, `warning` and `line` as lines. */
  readonly kind: "warning" | "line" | "point" | "report";
  readonly isDashed: boolean;
  /** One of so many that far out they are drawn as dots and without words. */
  readonly isCrowded: boolean;
  readonly fill?: string;
  readonly fillOpacity?: number;
  readonly label?: string;
  readonly mark?: string;
  /** Size of reported hail in mm, 0 for other reports; a higher one lies on top. */
  readonly rank?: number;
}

/** A line along which words stand, itself not drawn: the edge of an area, or a line of its own. */
export interface LineWordsProperties {
  readonly kind: "edge" | "line";
  readonly color: string;
  readonly words: string;
  readonly inside?: "below" | "above";
  readonly isCrowded: boolean;
}

/** The contents of an overlay's two sources. */
export interface OverlayFeatures {
  /** In drawing order: a shape that the file names first lies on top. */
  readonly shapes: readonly Feature[];
  readonly words: readonly Feature[];
}

/** Number of shapes beyond which they are crowded. */
const mostApart = 500;

const warningWidthPx = 2.5;
const lineWidthPx = 1.6;
const widthsPx = { least: 1, most: 8 } as const;

export function toFeatures(overlay: MapOverlay): OverlayFeatures {
  const shapes: Feature[] = [];
  const words: Feature[] = [];
  for (const shape of overlay.shapes.toReversed()) {
    const properties = toProperties(shape, overlay);
    shapes.push({ type: "Feature", properties, geometry: shape.geometry as Feature["geometry"] });
    const named = toLineWords(shape, properties);
    if (named) words.push(named);
  }
  return { shapes, words };
}

/** Returns the line that the words of a shape follow. */
function toLineWords(
  { geometry }: OverlayShape,
  { label, color, isCrowded }: ShapeProperties,
): Feature | undefined {
  if (label === undefined || geometry.type === "Point") return undefined;
  const isLine = geometry.type === "LineString";
  const edge = isLine
    ? { line: geometry.coordinates }
    : geometry.coordinates[0] && findLabelEdge(geometry.coordinates[0]);
  if (!edge) return undefined;
  const { line, ...side } = edge;
  const kind = isLine ? ("line" as const) : ("edge" as const);
  const properties: LineWordsProperties = { kind, color, words: label, ...side, isCrowded };
  const coordinates = line.map((point) => [...point]);
  return { type: "Feature", properties, geometry: { type: "LineString", coordinates } };
}

function toProperties(shape: OverlayShape, overlay: MapOverlay): ShapeProperties {
  const { words } = overlay;
  const { report, warning } = shape;
  const label = words.toLabel(shape);
  const isCrowded = overlay.shapes.length > mostApart;
  const color = toColor(shape, overlay);
  const common = { color, isCrowded, isDashed: false, ...(label !== undefined && { label }) };
  if (report)
    return {
      ...common,
      ...{ kind: "report", widthPx: 0 },
      ...{ mark: words.toMark(report), rank: report.sizeMm ?? 0 },
    };
  if (warning)
    return {
      ...common,
      kind: "warning",
      widthPx: warningWidthPx,
      isDashed: dashedWarnings.includes(warning.kind),
    };
  if (shape.geometry.type === "Point") return { ...common, kind: "point", widthPx: 0 };
  const widthPx = Math.min(widthsPx.most, Math.max(widthsPx.least, shape.style?.widthPx ?? lineWidthPx));
  return { ...common, kind: "line", widthPx, ...toFill(shape, overlay) };
}

function toColor({ warning, style }: OverlayShape, { color, hasFileColors }: MapOverlay): string {
  if (warning) return warningColors[warning.kind];
  return (hasFileColors ? style?.color : undefined) ?? color;
}

/** An area is filled only if its file says so, and a warning never. */
function toFill(
  { geometry, style }: OverlayShape,
  { color, hasFileColors }: MapOverlay,
): Pick<ShapeProperties, "fill" | "fillOpacity"> {
  if (geometry.type !== "Polygon" || style?.fill === undefined) return {};
  const alpha = style.fill.length === 9 ? parseInt(style.fill.slice(7), 16) / 255 : 1;
  return {
    fill: hasFileColors ? style.fill.slice(0, 7) : color,
    fillOpacity: Math.min(mostFillOpacity, alpha),
  };
}
