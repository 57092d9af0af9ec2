import { expect, test } from "vitest";
import { bearingDeg, boxAreaKm2, destination, distanceKm, greatCircle, toBeside } from "./sphere.ts";

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

// Lines of `geod` (PROJ 9): on the same sphere (+a=6371008.8 +b=6371008.8), and on the WGS 84 ellipsoid.
const pairs = [
  {
    from: [-97.4395, 35.2226],
    to: [-96.4936, 35.0881],
    sphere: { bearing: 99.593421, km: 87.284518 },
    ellipsoid: { bearing: 99.550037, km: 87.467815 },
  },
  {
    from: [-97.4, 34],
    to: [-95.1, 36.7],
    sphere: { bearing: 34.132005, km: 365.549794 },
    ellipsoid: { bearing: 34.252145, km: 365.267391 },
  },
  {
    from: [-0.4614, 51.4775],
    to: [-73.7789, 40.6398],
    sphere: { bearing: 287.931721, km: 5539.451172 },
    ellipsoid: { bearing: 287.971387, km: 5554.338869 },
  },
] as const;

test.each(pairs)("distance and bearing from $from are those of geod", ({ from, to, sphere, ellipsoid }) => {
  expect(distanceKm(from, to)).toBeCloseTo(sphere.km, 5);
  expect(bearingDeg(from, to)).toBeCloseTo(sphere.bearing, 5);
  // The sphere is within 0.3 percent and a fifth of a degree of the earth.
  expect(Math.abs(distanceKm(from, to) / ellipsoid.km - 1)).toBeLessThan(0.003);
  expect(Math.abs(bearingDeg(from, to) - ellipsoid.bearing)).toBeLessThan(0.2);
});

test("the end of a line by direction and distance is that of geod", () => {
  const [longitude, latitude] = destination([-97.4395, 35.2226], 80, 50);
  expect(longitude).toBeCloseTo(-96.89691, 5);
  expect(latitude).toBeCloseTo(35.299473, 5);
  const far = destination([18.4, -33.9], 245, 8000);
  expect(far[0]).toBeCloseTo(-69.398213, 5);
  expect(far[1]).toBeCloseTo(-30.421875, 5);
});

test("a great circle passes its ends in steps, in one piece across the 180th meridian", () => {
  const points = greatCircle(moore, joplin, 50);
  expect(points).toHaveLength(8);
  expect(points[0]).toEqual([...moore]);
  expect(points.at(-1)).toEqual([...joplin]);
  for (const [index, point] of points.slice(1).entries()) {
    expect(distanceKm(points[index]!, point)).toBeCloseTo(distanceKm(moore, joplin) / 7, 6);
  }
  const across = greatCircle([170, 50], [-170, 50], 200).map(([longitude]) => longitude);
  expect(across.at(-1)).toBe(190);
  expect(across).toEqual(across.toSorted((left, right) => left - right));
});

test("a point beside a line is as far along and across as it was set", () => {
  const along = destination(moore, 80, 60);
  for (const side of [1, -1]) {
    // The direction of the line itself has turned by the time it gets there.
    const ahead = (bearingDeg(along, moore) + 180) % 360;
    const point = destination(along, ahead + 90 * side, 7);
    const { alongKm, acrossKm } = toBeside(moore, 80, point);
    expect(alongKm).toBeCloseTo(60, 6);
    expect(acrossKm).toBeCloseTo(7 * side, 6);
  }
  expect(toBeside(moore, 80, destination(moore, 260, 12)).alongKm).toBeCloseTo(-12, 6);
});
