import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IndexPyramidBuilder } from "../frames/index-pyramid.ts";
import { findOccupied, findScreenBlocks } from "./screen-blocks.ts";

const screen = { widthPx: 200, heightPx: 130 };

/** A picture with one class at each of these cells. */
function occupy(widthPx: number, heightPx: number, cells: readonly (readonly [number, number])[]) {
  const builder = new IndexPyramidBuilder(widthPx, heightPx, true);
  for (let row = 0; row < heightPx; row++) {
    const line = new Uint8Array(widthPx);
    for (const [column, at] of cells) if (at === row) line[column] = 3;
    builder.addRow(line);
  }
  return findOccupied(builder.finish().coarser.at(-1)!);
}

describe("the parts of the screen with something to draw", () => {
  test("cover every pixel within the margin of a cell with a class, once, and never leave the screen", () => {
    const cases = fc
      .record({ widthPx: fc.integer({ min: 1, max: 400 }), heightPx: fc.integer({ min: 1, max: 300 }) })
      .chain((size) =>
        fc.record({
          size: fc.constant(size),
          cells: fc.array(fc.tuple(fc.nat(size.widthPx - 1), fc.nat(size.heightPx - 1)), { maxLength: 4 }),
          left: fc.integer({ min: -300, max: 300 }),
          bottom: fc.integer({ min: -200, max: 400 }),
          perPixel: fc.constantFrom(0.05, 0.37, 1, 2.5, 9),
          marginPx: fc.nat(5),
        }),
      );
    fc.assert(
      fc.property(cases, ({ size, cells, left, bottom, perPixel, marginPx }) => {
        const occupied = occupy(size.widthPx, size.heightPx, cells);
        const view = { base: [left, bottom], origin: [0.3, 0.6], perPixel: [perPixel, -perPixel] } as const;
        const covered = new Uint8Array(screen.widthPx * screen.heightPx);
        for (const block of findScreenBlocks(occupied, view, screen, marginPx)) {
          for (let y = block.bottom; y < block.top; y++) {
            for (let x = block.left; x < block.right; x++) covered[y * screen.widthPx + x]! += 1;
          }
        }
        expect(Math.max(...covered)).toBeLessThanOrEqual(1);
        if (cells.length === 0) expect(covered).not.toContain(1);
        for (const [column, row] of cells) {
          const x = (column + 0.5 - left - 0.3) / perPixel;
          const y = (row + 0.5 - bottom - 0.6) / -perPixel;
          for (const [right, up] of corners) {
            const [pixelX, pixelY] = [Math.floor(x + right * marginPx), Math.floor(y + up * marginPx)];
            if (pixelX < 0 || pixelY < 0 || pixelX >= screen.widthPx || pixelY >= screen.heightPx) continue;
            expect(covered[pixelY * screen.widthPx + pixelX]).toBe(1);
          }
        }
      }),
      { seed: 12, numRuns: 150 },
    );
  });

  test("are a small share of a screen with one small storm", () => {
    const occupied = occupy(700, 430, [[350, 200]]);
    const view = { base: [0, 430], origin: [0, 0], perPixel: [3.5, -3.5] } as const;
    const blocks = findScreenBlocks(occupied, view, screen, 2);
    expect(blocks.length).toBeGreaterThan(0);
    const area = blocks.reduce(
      (sum, { left, right, bottom, top }) => sum + (right - left) * (top - bottom),
      0,
    );
    expect(area).toBeLessThan(screen.widthPx * screen.heightPx * 0.25);
  });
});

const corners = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;
