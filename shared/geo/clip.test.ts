import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boxesAround, clipPolygons, roundLine, roundPolygons } from "./clip.ts";
import type { Box, Polygon } from "./clip.ts";

/** Twice the area of all rings, outer ones counted against holes by their direction. */
function areaOf(polygons: readonly Polygon[]): number {
  let sum = 0;
  for (const ring of polygons.flat()) {
    for (let at = 1; at < ring.length; at++) {
      const [x0, y0] = ring[at - 1]!;
      const [x1, y1] = ring[at]!;
      sum += x0! * y1! - x1! * y0!;
    }
  }
  return sum;
}

const box: Box = [-20, -10, 30, 25];

describe("clipping polygons with a box", () => {
  test("cuts the world into parts that make up the whole", () => {
    const corner = fc.tuple(fc.integer({ min: -179, max: 179 }), fc.integer({ min: -89, max: 89 }));
    fc.assert(
      fc.property(corner, corner, corner, (a, b, c) => {
        const triangle: Polygon[] = [[[a, b, c, a]]];
        const parts = [box, ...boxesAround(box)].flatMap((part) => clipPolygons(triangle, part));
        expect(areaOf(parts)).toBeCloseTo(areaOf(triangle), 6);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test("leaves nothing outside the box and the inside unchanged", () => {
    const large: Polygon = [
      [
        [-90, -80],
        [90, -80],
        [90, 80],
        [-90, 80],
        [-90, -80],
      ],
    ];
    const [clipped] = clipPolygons([large], box);
    for (const [x, y] of clipped![0]!) {
      expect(x! > -20.0001 && x! < 30.0001).toBe(true);
      expect(y! > -10.0001 && y! < 25.0001).toBe(true);
    }
    const small: Polygon = [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ];
    expect(areaOf(clipPolygons([small], box))).toBe(areaOf([small]));
    expect(clipPolygons([small], [50, 50, 60, 60])).toEqual([]);
  });
});

describe("rounding", () => {
  test("drops points that fall together, and rings that shrink to nothing", () => {
    expect(
      roundLine([
        [1.00001, 2],
        [1.00002, 2],
        [1.5, 2],
      ]),
    ).toEqual([
      [1, 2],
      [1.5, 2],
    ]);
    expect(
      roundPolygons([
        [
          [
            [0, 0],
            [0.00001, 0],
            [0, 0.00001],
            [0, 0],
          ],
        ],
      ]),
    ).toEqual([]);
  });
});
