import fc from "fast-check";
import { expect, test } from "vitest";
import { boundsContain, unionBounds } from "./bounds.ts";
import { blockBounds, findCell, gridBounds, type LatLonGrid } from "./grid.ts";
import { latitudeOfY, longitudeOfX, mercatorMaxLatitude, mercatorX, mercatorY } from "./mercator.ts";

const conus: LatLonGrid = {
  columns: 7000,
  rows: 3500,
  westUdeg: -130_000_000,
  northUdeg: 55_000_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

test("the Mercator square runs from 0 to 1 with its center at the origin of the map", () => {
  expect(mercatorX(-180)).toBe(0);
  expect(mercatorX(180)).toBe(1);
  expect(mercatorY(0)).toBe(0.5);
  expect(mercatorY(mercatorMaxLatitude)).toBeCloseTo(0, 12);
  expect(mercatorY(-mercatorMaxLatitude)).toBeCloseTo(1, 12);
});

test("latitude agrees with the published EPSG:3857 northing of 35 N", () => {
  const northingM = (0.5 - mercatorY(35)) * 2 * Math.PI * 6_378_137;
  expect(northingM).toBeCloseTo(4_163_881.144, 2);
});

test("projecting and back returns the point", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (longitude, latitude) => {
        expect(longitudeOfX(mercatorX(longitude))).toBeCloseTo(longitude, 9);
        expect(latitudeOfY(mercatorY(latitude))).toBeCloseTo(latitude, 9);
      },
    ),
    { seed: 20_240_228 },
  );
});

test("a grid's bounds are its exact outer edges", () => {
  expect(gridBounds(conus)).toEqual([-130, 20, -60, 55]);
  expect(blockBounds(conus, { rowStart: 1, rowEnd: 2, columnStart: 3, columnEnd: 4 })).toEqual([
    -129.97, 54.98, -129.96, 54.99,
  ]);
});

test("every cell center is found in its own cell, and points outside in none", () => {
  expect(findCell(conus, -129.995, 54.995)).toEqual({ row: 0, column: 0 });
  expect(findCell(conus, -60.005, 20.005)).toEqual({ row: 3499, column: 6999 });
  expect(findCell(conus, -60, 30)).toBeUndefined();
  expect(findCell(conus, -130.0001, 30)).toBeUndefined();
  expect(findCell(conus, -100, 55.0001)).toBeUndefined();
});

test("a union holds every box, and containment includes the edges", () => {
  const union = unionBounds([-100, 30, -90, 40], [-95, 20, -80, 35]);
  expect(union).toEqual([-100, 20, -80, 40]);
  expect(boundsContain(union, -100, 20)).toBe(true);
  expect(boundsContain(union, -100.01, 20)).toBe(false);
});
