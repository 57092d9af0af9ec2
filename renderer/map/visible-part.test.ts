import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bounds } from "../../shared/contract/index.ts";
import { mercatorX, mercatorY } from "../../shared/geo/mercator.ts";
import { toTileBlocks } from "./frame-textures.ts";
import { findViewInCells, findVisiblePart, toClipTransform } from "./visible-part.ts";
import type { ClipTransform } from "./visible-part.ts";

const bounds: Bounds = [-130, 20, -60, 55];
const extent = { bounds, widthPx: 7000, heightPx: 4296 };
const whole = { rowStart: 0, rowEnd: 4296, columnStart: 0, columnEnd: 7000 };

function createView(
  longitude: number,
  latitude: number,
  zoom: number,
  width = 1280,
  height = 800,
): ClipTransform {
  const worldPx = 512 * 2 ** zoom;
  const scaleX = (2 * worldPx) / width;
  const scaleY = (-2 * worldPx) / height;
  return { scaleX, offsetX: -mercatorX(longitude) * scaleX, scaleY, offsetY: -mercatorY(latitude) * scaleY };
}

describe("the visible part of a frame", () => {
  test("puts every cell where Web Mercator has it, to a hundredth of a pixel at zoom 13", () => {
    const places = fc.record({
      longitude: fc.double({ min: -129, max: -61, noNaN: true }),
      latitude: fc.double({ min: 21, max: 54, noNaN: true }),
      zoom: fc.double({ min: 2.5, max: 13, noNaN: true }),
    });
    fc.assert(
      fc.property(places, ({ longitude, latitude, zoom }) => {
        const part = findVisiblePart(extent, whole, createView(longitude, latitude, zoom))!;
        // The middle of the view, as a 32-bit GPU would find it between the corners.
        const tx = (0 - part.clip[0]) / (part.clip[2] - part.clip[0]);
        const ty = (0 - part.clip[1]) / (part.clip[3] - part.clip[1]);
        const mix = (from: number, to: number, t: number): number =>
          Math.fround(Math.fround(from) + Math.fround(Math.fround(to) - Math.fround(from)) * Math.fround(t));
        const column = part.base[0] + mix(part.cells[0], part.cells[2], tx);
        const row = part.base[1] + mix(part.cells[1], part.cells[3], ty);
        const trueColumn = ((longitude + 130) / 70) * 7000;
        const top = mercatorY(55);
        const trueRow = ((mercatorY(latitude) - top) / (mercatorY(20) - top)) * 4296;
        const cellPx = (512 * 2 ** zoom * 0.01) / 360;
        expect(Math.abs(column - trueColumn) * cellPx).toBeLessThan(0.01);
        expect(Math.abs(row - trueRow) * cellPx).toBeLessThan(0.01);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test("is nothing when the frame is out of view, and all of it when it is all in view", () => {
    expect(findVisiblePart(extent, whole, createView(10, 50, 6))).toBeUndefined();
    expect(findVisiblePart(extent, whole, createView(-95, 40, 2.5))).toMatchObject({
      base: [0, 0],
      cells: [0, 0, 7000, 4296],
    });
  });

  test("meets without gap or overlap where a frame is cut into tiles", () => {
    const blocks = toTileBlocks(14_000, 8592, 8192);
    expect(blocks).toHaveLength(4);
    const large = { bounds, widthPx: 14_000, heightPx: 8592 };
    const [first, second, third] = blocks.map((block) =>
      findVisiblePart(large, block, createView(-95, 39.2, 4))!,
    );
    expect(second!.clip[0]).toBe(first!.clip[2]);
    expect(third!.clip[1]).toBe(first!.clip[3]);
  });

  test("counts the view in cells also beyond the picture", () => {
    const part = findViewInCells(extent, createView(-150, 60, 5));
    expect(part.clip).toEqual([-1, 1, 1, -1]);
    expect(part.base[0] + part.cells[0]).toBeLessThan(-2000);
    expect(part.base[1] + part.cells[1]).toBeLessThan(0);
  });

  test("reads a map's matrix whatever its w", () => {
    const matrix = Array<number>(16).fill(0);
    [matrix[0], matrix[5], matrix[12], matrix[13], matrix[15]] = [8, -12, -2, 3, 4];
    expect(toClipTransform(matrix)).toEqual({ scaleX: 2, offsetX: -0.5, scaleY: -3, offsetY: 0.75 });
  });
});

describe("tiles of a frame", () => {
  test("cover it once and fit the GPU", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1024, max: 16_384 }),
        (width, height, most) => {
          let area = 0;
          for (const block of toTileBlocks(width, height, most)) {
            const across = block.columnEnd - block.columnStart;
            const down = block.rowEnd - block.rowStart;
            expect(Math.max(across, down)).toBeLessThanOrEqual(most);
            expect(Math.min(across, down)).toBeGreaterThan(0);
            area += across * down;
          }
          expect(area).toBe(width * height);
        },
      ),
      { seed: 6, numRuns: 100 },
    );
  });
});
