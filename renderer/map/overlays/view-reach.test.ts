import { expect, test } from "vitest";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { latitudeOfY, mercatorY } from "../../../shared/geo/mercator.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";
import { isInReach, toReachNm } from "./view-reach.ts";

test("a view of a degree at the equator is 60 nautical miles, and half as much at 60 north", () => {
  expect(toReachNm([-0.5, -0.5, 0.5, 0.5])).toBeCloseTo(60.04, 1);
  const half = 0.5 / 360;
  const middle = mercatorY(60);
  const bounds: Bounds = [-0.5, latitudeOfY(middle + half), 0.5, latitudeOfY(middle - half)];
  expect(toReachNm(bounds)).toBeCloseTo(30.02, 1);
  expect(toReachNm([-1, bounds[1], 1, bounds[3]])).toBeCloseTo(45.03, 1);
});

test("a shape is in reach up to its threshold, or without one", () => {
  const point: OverlayShape = { geometry: { type: "Point", coordinates: [0, 0] } };
  expect([60, 60.1].map((reachNm) => isInReach({ ...point, thresholdNm: 60 }, reachNm))).toEqual([
    true,
    false,
  ]);
  expect(isInReach(point, 20_000)).toBe(true);
});
