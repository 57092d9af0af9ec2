import { expect, test } from "vitest";
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import type { OverlayGeometry, OverlayShape } from "../../../shared/overlays/overlay.ts";
import { boundsOfShape, findShapesAt, isShapeAt } from "./shape-hits.ts";

const pixelDeg = 0.001;

function square(size: number): readonly Coordinate[] {
  return [
    [-size, 35 - size],
    [size, 35 - size],
    [size, 35 + size],
    [-size, 35 + size],
    [-size, 35 - size],
  ];
}

function shapeOf(geometry: OverlayGeometry): OverlayShape {
  return { geometry };
}

const ring = shapeOf({ type: "Polygon", coordinates: [square(1), square(0.5)] });
const line = shapeOf({
  type: "LineString",
  coordinates: [
    [-1, 35],
    [1, 35],
  ],
});
const point = shapeOf({ type: "Point", coordinates: [0, 35] });

test.each<[string, OverlayShape, Coordinate, boolean]>([
  ["inside an area", ring, [0.7, 35], true],
  ["in its hole", ring, [0, 35], false],
  ["near its edge", ring, [1.005, 35], true],
  ["away from it", ring, [1.01, 35], false],
  ["on a line", line, [0.3, 35.004], true],
  ["beside a line", line, [0.3, 35.01], false],
  ["beyond its end", line, [1.01, 35], false],
  ["on a sign", point, [0.01, 35], true],
  ["beside a sign", point, [0.02, 35], false],
])("a place %s", (_, shape, coordinate, isThere) => {
  expect(isShapeAt(shape, { coordinate, pixelDeg })).toBe(isThere);
});

test("signs come before lines, and small areas before large ones", () => {
  const large = shapeOf({ type: "Polygon", coordinates: [square(2)] });
  const small = shapeOf({ type: "Polygon", coordinates: [square(1)] });
  const found = findShapesAt([large, small, line, point], { coordinate: [0, 35], pixelDeg });
  expect(found).toEqual([point, line, small, large]);
});

test("the bounds of a shape hold all of its points", () => {
  expect(boundsOfShape(ring)).toEqual([-1, 34, 1, 36]);
});
