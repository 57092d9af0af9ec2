import { expect, test } from "vitest";
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import { findLabelEdge, toEdgeMiddle } from "./label-edge.ts";
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
    undefined,
    0.5,
    0.2,
  ]);
});

test("shapes are drawn in the order of their file, warnings with the first on top", () => {
  const labelsOf = (shape: OverlayShape): string[] =>
    toFeatures(overlayOf(["first", "second"].map((label) => ({ ...shape, label })))).shapes.map(
      ({ properties }) => properties?.label as string,
    );
  expect(labelsOf(area)).toEqual(["first", "second"]);
  expect(labelsOf(tornado)).toEqual(["second", "first"]);
});

test("an area or line without a width or with a clear color has no line", () => {
  const kinds = [{ widthPx: 0 }, { color: "#ff000000" }, { widthPx: 3 }, { color: "#ffff00" }].map(
    (style) => {
      const { properties } = toFeatures(overlayOf([{ ...area, style }])).shapes[0]!;
      return [properties?.kind as string, properties?.widthPx as number, properties?.hasOwnWidth as boolean];
    },
  );
  expect(kinds).toEqual([
    ["area", 0, undefined],
    ["area", 0, undefined],
    ["line", 3, true],
    ["line", 1.6, false],
  ]);
});

test("words without a mark have their middle at the place that their file says, in heights of the words", () => {
  const point: OverlayShape = { geometry: { type: "Point", coordinates: [-97, 35] }, label: "A" };
  const propertiesOf = (style: OverlayShape["style"]): unknown =>
    toFeatures(overlayOf([{ ...point, style }])).shapes[0]!.properties;
  expect(propertiesOf(undefined)).toMatchObject({ kind: "point", label: "A" });
  expect(propertiesOf(undefined)).not.toHaveProperty("labelAt");
  expect(propertiesOf({ mark: "none" })).toMatchObject({ kind: "words", labelPx: 12, labelAt: [0, -0] });
  expect(propertiesOf({ labelOffsetPx: [20, 10], labelPx: 10 })).toMatchObject({
    ...{ kind: "point", labelPx: 10, labelAt: [2, -1] },
  });
  const { words } = toFeatures(overlayOf([point, { ...point, style: { mark: "none" } }]));
  expect(words.map(({ properties }) => properties)).toMatchObject([{ kind: "placed", words: "A" }]);
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
  expect(chosen?.properties).toMatchObject({ color: "#ffffff", widthPx: 20 });
});

test("only lines and areas with words are in the source of words, with the line that the words follow", () => {
  const line: OverlayShape = {
    geometry: { type: "LineString", coordinates: box.slice(0, 2) },
    label: "Front",
  };
  const point: OverlayShape = { geometry: { type: "Point", coordinates: [-97, 35] }, label: "Here" };
  const { words } = toFeatures(overlayOf([{ ...area, label: "County" }, area, line, point]));
  expect(words.map(({ properties, geometry }) => ({ ...properties, geometry }))).toMatchObject([
    { kind: "edge", words: "County", inside: "below", geometry: { type: "LineString" } },
    { kind: "line", words: "Front", geometry: { coordinates: box.slice(0, 2) } },
  ]);
});

test("the words of a warning stand at the middle of its edge from the zoom at which that is as long", () => {
  const { words } = toFeatures(overlayOf([{ ...tornado, label: "Tornado Warning, to 22:00" }]));
  expect(words.map(({ properties }) => properties?.kind as string)).toEqual(["warning", "middle"]);
  const { geometry, properties } = words[1]!;
  expect(geometry).toEqual({ type: "Point", coordinates: [-97.5, 36] });
  expect(properties).toMatchObject({ rotateDeg: 0, inside: "below" });
  // A degree is 512 / 360 pixels at zoom 0, and the words are 25 × 6.2 pixels long.
  expect(properties!.fitZoom).toBeCloseTo(Math.log2((25 * 6.2 * 360) / 512));
});

test("the middle of an edge turns with it, clockwise on the map", () => {
  const { rotateDeg } = toEdgeMiddle([
    [-98, 36],
    [-97, 35],
  ]);
  expect(rotateDeg).toBeGreaterThan(45);
  expect(rotateDeg).toBeLessThan(55);
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

test("an area of as many points as a file may have gets its words", () => {
  const ring = Array.from({ length: 500_000 }, (_, index): Coordinate => {
    const angle = (index / 500_000) * 2 * Math.PI;
    return [-97 + Math.cos(angle), 35 + Math.sin(angle)];
  });
  expect(findLabelEdge(ring)?.line.length).toBeGreaterThan(1);
});
