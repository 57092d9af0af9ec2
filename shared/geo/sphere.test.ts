import { expect, test } from "vitest";
import { bearingDeg, boxAreaKm2, distanceKm } from "./sphere.ts";

const moore = [-97.49, 35.34] as const;
const joplin = [-94.51, 37.08] as const;

test("a quarter of the equator and a meridian are as long as those of the sphere", () => {
  expect(distanceKm([0, 0], [90, 0])).toBeCloseTo(10_007.557, 2);
  expect(distanceKm([10, -90], [10, 0])).toBeCloseTo(10_007.557, 2);
});

test("distance is symmetric, and the bearing points along the great circle", () => {
  expect(distanceKm(moore, joplin)).toBe(distanceKm(joplin, moore));
  expect(distanceKm(moore, joplin)).toBeCloseTo(329.8, 0);
  expect(bearingDeg(moore, joplin)).toBeGreaterThan(45);
  expect(bearingDeg(moore, joplin)).toBeLessThan(60);
  expect(bearingDeg([0, 0], [0, -1])).toBe(180);
});

test("the boxes of all latitudes add up to the area of the earth", () => {
  let sum = 0;
  for (let south = -90; south < 90; south += 10) sum += 36 * boxAreaKm2(10, south, south + 10);
  expect(sum / 510_065_600).toBeCloseTo(1, 4);
});
