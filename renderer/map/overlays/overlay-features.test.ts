import { expect, test } from "vitest";
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import { findLabelEdge } from "./label-edge.ts";
import type { MapOverlay } from "./map-overlay.ts";
import { warningColors } from "./overlay-colors.ts";
import { toFeatures } from "./overlay-features.ts";

const box: readonly Coordinate[] = [
  [-98, 35],
  [-97, 35],
  [-97, 36],
  [-98, 36],
  [-98, 35],
];
const area: OverlayShape = { geometry: { type: "Polygon", coordinates: [box] } };
const tornado: OverlayShape = {
  ...area,
  style: { fill: "#ff0000", color: "#123456" },
  warning: { kind: "tornado", title: "Tornado Warning" },
};

function overlayOf(shapes: readonly OverlayShape[], changes: Partial<MapOverlay> = {}): MapOverlay {
  const words = { toLabel: ({ label }: OverlayShape) => label, toMark: () => "1.75" };
  return { id: "a", shapes, color: "#ffffff", hasFileColors: true, words, ...changes };
}

test("a warning is an outline in the color of its kind, whatever its file says", () => {
  const [feature] = toFeatures(overlayOf([tornado])).shapes;
  expect(feature?.properties).toMatchObject({ kind: "warning", color: warningColors.tornado });
  expect(feature?.properties).not.toHaveProperty("fill");
});

test("an area is filled at most by half, and only if its file says so", () => {
  const filled = { ...area, style: { fill: "#0000ff" } };
  const faint = { ...area, style: { fill: "#0000ff33" } };
  const { shapes } = toFeatures(overlayOf([area, filled, faint]));
  expect(shapes.map(({ properties }) => properties?.fillOpacity as number | undefined)).toEqual([
    0.2,
    0.5,
    undefined,
  ]);
});

test("the first shape of a file is drawn last", () => {
  const shapes = ["first", "second"].map((label) => ({ ...area, label }));
  const features = toFeatures(overlayOf(shapes));
  expect(features.shapes.map(({ properties }) => properties?.label as string)).toEqual(["second", "first"]);
});

test("of reports at one place the larger hail lies on top, and above those without a size", () => {
  const place: [number, number] = [-97, 35];
  const report = (sizeMm: number | undefined): OverlayShape => ({
    geometry: { type: "Point", coordinates: place },
    report: { kind: "hail", atMs: 0, coordinate: place, ...(sizeMm && { sizeMm }) },
  });
  const features = toFeatures(overlayOf([report(25), report(undefined), report(51)]));
  expect(features.shapes.map(({ properties }) => properties?.rank as number)).toEqual([51, 0, 25]);
});

test("a chosen color replaces those of the file", () => {
  const own = { ...area, style: { color: "#00ff00", widthPx: 40 } };
  const [chosen] = toFeatures(overlayOf([own], { hasFileColors: false })).shapes;
  expect(chosen?.properties).toMatchObject({ color: "#ffffff", widthPx: 8 });
});

test("only lines and areas with words are in the source of words, with the line that the words follow", () => {
  const line: OverlayShape = {
    geometry: { type: "LineString", coordinates: box.slice(0, 2) },
    label: "Front",
  };
  const point: OverlayShape = { geometry: { type: "Point", coordinates: [-97, 35] }, label: "Here" };
  const { words } = toFeatures(overlayOf([{ ...area, label: "County" }, area, line, point]));
  expect(words.map(({ properties, geometry }) => ({ ...properties, geometry }))).toMatchObject([
    { kind: "line", words: "Front", geometry: { coordinates: box.slice(0, 2) } },
    { kind: "edge", words: "County", inside: "below", geometry: { type: "LineString" } },
  ]);
});

test("the words of an area stand below its upper edge, from west to east", () => {
  expect(findLabelEdge(box)).toEqual({
    line: [
      [-98, 36],
      [-97, 36],
    ],
    inside: "below",
  });
});

test("an edge in small steps is one edge", () => {
  const steps = Array.from({ length: 11 }, (_, step): Coordinate => [-98 + step / 10, 36]);
  const edge = findLabelEdge([[-98, 35.7], ...steps, [-97, 35.7], [-98, 35.7]]);
  expect(edge?.line).toEqual(steps);
});
