import { describe, expect, test } from "vitest";
import { distanceKm, kmPerMile } from "../../shared/geo/sphere.ts";
import { toScaleLengths } from "./scale-lengths.ts";

const zooms = [2.5, 3.6, 4, 5.55, 7, 8.9, 10.5, 13];

describe("the scale bar", () => {
  test.each(zooms)("is as long as the ground it names, at zoom %d", (zoom) => {
    for (const latitude of [0, 25, 40, 49, 65]) {
      for (const { count, unit, widthPx } of toScaleLengths(latitude, zoom, 120)) {
        const degrees = (widthPx / (512 * 2 ** zoom)) * 360;
        const km = distanceKm([-100, latitude], [-100 + degrees, latitude]);
        const named = unit === "mi" ? count * kmPerMile : count;
        // Along a parallel the way is a little longer than the shortest one.
        expect(named / km).toBeCloseTo(1, 1);
      }
    }
  });

  test.each(zooms)("fits, has a round number, and miles come first, at zoom %d", (zoom) => {
    const lengths = toScaleLengths(39, zoom, 120);
    expect(lengths.map(({ unit }) => unit)).toEqual(["mi", "km"]);
    for (const { count, widthPx } of lengths) {
      expect(widthPx).toBeLessThanOrEqual(120);
      expect(widthPx).toBeGreaterThan(120 / 2.51);
      expect(String(count)).toMatch(/^(0\.)?0*[125]0*$/);
    }
  });
});
