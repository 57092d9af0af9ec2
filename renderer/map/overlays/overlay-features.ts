// Shapes to the features of a map source. Pure.
import type { Feature } from "geojson";
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import { worldPx } from "../scale-lengths.ts";
import { findLabelEdge, toEdgeMiddle } from "./label-edge.ts";
import type { MapOverlay } from "./map-overlay.ts";
import { dashedWarnings, mostFillOpacity, warningColors } from "./overlay-colors.ts";

export interface ShapeProperties {
  readonly color: string;
  readonly widthPx: number;
  /** The file says the width, which is the same at each zoom. */
  readonly hasOwnWidth?: boolean;
  /** `report` is drawn as a sign, `point` as a dot with words, `warning` and `line` as lines; the others have neither. */
  readonly kind: "warning" | "line" | "point" | "report" | "words" | "area";
  readonly isDashed: boolean;
  /** One of so many that far out they are drawn as dots and without words. */
  readonly isCrowded: boolean;
  readonly fill?: string;
  readonly fillOpacity?: number;
  readonly label?: string;
  /** Height of the label in pixels. */
  readonly labelPx?: number;
  /** Middle of a label whose place the file says, right of and below the point, in heights of the label. */
  readonly labelAt?: readonly [right: number, below: number];
  readonly mark?: string;
  /** Size of reported hail in mm, 0 for other reports; a higher one lies on top. */
  readonly rank?: number;
}

/** A line along which words stand, itself not drawn: the edge of an area, or a line of its own. */
export interface LineWordsProperties {
  /** `middle` is a point, for the words of a warning where its edge is hardly longer than they are. */
  readonly kind: "warning" | "middle" | "edge" | "line";
  readonly color: string;
  readonly words: string;
  readonly inside?: "below" | "above";
  /** For a warning: angle of the edge, clockwise, and the zoom at which it is as long as the words. */
  readonly rotateDeg?: number;
  readonly fitZoom?: number;
  readonly isCrowded: boolean;
}

/** The contents of an overlay's two sources. */
export interface OverlayFeatures {
  /** In drawing order: that of the file, and of warnings and reports the one that is named first on top. */
  readonly shapes: readonly Feature[];
  readonly words: readonly Feature[];
}

/** Number of shapes beyond which they are crowded. */
const mostApart = 500;

const warningWidthPx = 2.5;
const lineWidthPx = 1.6;
const widthsPx = { least: 1, most: 20 } as const;
const labelPx = 12;

export function toFeatures(overlay: MapOverlay): OverlayFeatures {
  const shapes: Feature[] = [];
  const words: Feature[] = [];
  const isOfficial = overlay.shapes.some(({ warning, report }) => warning ?? report);
  for (const shape of isOfficial ? overlay.shapes.toReversed() : overlay.shapes) {
    const properties = toProperties(shape, overlay);
    shapes.push({ type: "Feature", properties, geometry: shape.geometry as Feature["geometry"] });
    words.push(...toWords(shape, properties));
  }
  return { shapes, words };
}

/** Returns the line that the words of a shape follow, of a warning also its middle; or the point of placed words. */
function toWords(
  { geometry, warning }: OverlayShape,
  { label, labelAt, labelPx: heightPx, color, isCrowded }: ShapeProperties,
): Feature[] {
  if (label === undefined) return [];
  if (geometry.type === "Point") {
    const placed = { kind: "placed", color, words: label, labelAt, labelPx: heightPx, isCrowded };
    return labelAt ? [{ type: "Feature", properties: placed, geometry }] : [];
  }
  const isLine = geometry.type === "LineString";
  const edge = isLine
    ? { line: geometry.coordinates }
    : geometry.coordinates[0] && findLabelEdge(geometry.coordinates[0]);
  if (!edge) return [];
  const { line, ...side } = edge;
  const kind = isLine ? "line" : warning ? "warning" : "edge";
  const properties: LineWordsProperties = { kind, color, words: label, ...side, isCrowded };
  if (kind === "warning" && !isCrowded) return toWarningWords(properties, line);
  const coordinates = line.map((point) => [...point]);
  return [{ type: "Feature", properties, geometry: { type: "LineString", coordinates } }];
}

/** Mean width of a character of the words, in pixels. */
const characterPx = 6.2;

/** Returns words along the edge, and words at its middle for the zooms at which it is short. */
function toWarningWords(words: LineWordsProperties, line: readonly Coordinate[]): Feature[] {
  const { at, rotateDeg, length } = toEdgeMiddle(line);
  const fitZoom = Math.log2((words.words.length * characterPx) / (length * worldPx));
  const properties: LineWordsProperties = { ...words, rotateDeg, fitZoom };
  const coordinates = line.map((point) => [...point]);
  return [
    { type: "Feature", properties, geometry: { type: "LineString", coordinates } },
    {
      type: "Feature",
      properties: { ...properties, kind: "middle" },
      geometry: { type: "Point", coordinates: [...at] },
    },
  ];
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
  if (shape.geometry.type === "Point") return { ...common, widthPx: 0, ...toPoint(shape) };
  const fill = toFill(shape, overlay);
  const { style } = shape;
  if (style?.widthPx === 0 || /^#.{6}00$/.test(color))
    return { ...common, kind: "area", widthPx: 0, ...fill };
  const widthPx = Math.min(widthsPx.most, Math.max(widthsPx.least, style?.widthPx ?? lineWidthPx));
  return { ...common, kind: "line", widthPx, hasOwnWidth: style?.widthPx !== undefined, ...fill };
}

function toPoint({
  style: { mark, labelOffsetPx, labelPx: ownPx } = {},
}: OverlayShape): Pick<ShapeProperties, "kind" | "labelPx" | "labelAt"> {
  const kind = mark === "none" ? "words" : "point";
  const heightPx = ownPx ?? labelPx;
  const [right, up] = labelOffsetPx ?? [0, 0];
  const isPlaced = kind === "words" || labelOffsetPx !== undefined;
  return { kind, labelPx: heightPx, ...(isPlaced && { labelAt: [right / heightPx, -up / heightPx] }) };
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
