import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bounds } from "../../../shared/contract/index.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";
import { findCellView, toClipTransform } from "./screen-geometry.ts";
import type { ClipTransform } from "./screen-geometry.ts";

const bounds: Bounds = [-130, 20, -60, 55];
const extent = { bounds, widthPx: 7000, heightPx: 4296 };
const screen = { widthPx: 1280, heightPx: 800 };

function createView(longitude: number, latitude: number, zoom: number): ClipTransform {
  const worldPx = 512 * 2 ** zoom;
  const scaleX = (2 * worldPx) / screen.widthPx;
  const scaleY = (-2 * worldPx) / screen.heightPx;
  return { scaleX, offsetX: -mercatorX(longitude) * scaleX, scaleY, offsetY: -mercatorY(latitude) * scaleY };
}

describe("the cells under a screen", () => {
  test("are where Web Mercator has them, to a hundredth of a pixel at zoom 13", () => {
    const places = fc.record({
      longitude: fc.double({ min: -129, max: -61, noNaN: true }),
      latitude: fc.double({ min: 21, max: 54, noNaN: true }),
      zoom: fc.double({ min: 2.5, max: 13, noNaN: true }),
    });
    fc.assert(
      fc.property(places, ({ longitude, latitude, zoom }) => {
        const view = findCellView(extent, createView(longitude, latitude, zoom), screen);
        // The middle of the screen, as a 32-bit GPU computes it.
        const [column, row] = ([screen.widthPx / 2, screen.heightPx / 2] as const).map(
          (middlePx, axis) =>
            view.base[axis]! +
            Math.fround(
              Math.fround(view.origin[axis]!) + Math.fround(middlePx * Math.fround(view.perPixel[axis]!)),
            ),
        );
        const trueColumn = ((longitude + 130) / 70) * 7000;
        const top = mercatorY(55);
        const trueRow = ((mercatorY(latitude) - top) / (mercatorY(20) - top)) * 4296;
        const cellPx = (512 * 2 ** zoom * 0.01) / 360;
        expect(Math.abs(column! - trueColumn) * cellPx).toBeLessThan(0.01);
        expect(Math.abs(row! - trueRow) * cellPx).toBeLessThan(0.01);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test("are counted also beyond the picture, and their rows downward", () => {
    const { base, perPixel } = findCellView(extent, createView(-150, 60, 5), screen);
    expect(base[0]).toBeLessThan(-2000);
    expect(base[1]).toBeLessThan(0);
    expect(perPixel[0]).toBeGreaterThan(0);
    expect(perPixel[1]).toBeLessThan(0);
  });

  test("are read from a map's matrix whatever its w", () => {
    const matrix = Array<number>(16).fill(0);
    [matrix[0], matrix[5], matrix[12], matrix[13], matrix[15]] = [8, -12, -2, 3, 4];
    expect(toClipTransform(matrix)).toEqual({ scaleX: 2, offsetX: -0.5, scaleY: -3, offsetY: 0.75 });
  });
});
