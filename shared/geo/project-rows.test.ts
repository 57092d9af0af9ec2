// Projection of grid rows to rows of Web Mercator pixels: all kept, none moved, none thinner than one pixel.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CellBlock, LatLonGrid } from "./grid.ts";
import { latitudeOfY, mercatorY } from "./mercator.ts";
import { projectRows } from "./project-rows.ts";

function toGrid(rows: number, northUdeg: number, spacingYUdeg: number): LatLonGrid {
  return { columns: 1, rows, westUdeg: 0, northUdeg, spacingXUdeg: 10_000, spacingYUdeg };
}

function toBlock(rowStart: number, rowEnd: number): CellBlock {
  return { rowStart, rowEnd, columnStart: 0, columnEnd: 1 };
}

describe("projecting rows", () => {
  it("makes 4,296 pixel rows from the 3,500 rows of CONUS", () => {
    const rows = projectRows(toGrid(3500, 55_000_000, 10_000), toBlock(0, 3500));
    expect(rows).toHaveLength(4296);
    expect(new Set(rows).size).toBe(3500);
    expect([rows[0], rows.at(-1)]).toEqual([0, 3499]);
  });

  it("makes one pixel row from one row", () => {
    expect(Array.from(projectRows(toGrid(3500, 55_000_000, 10_000), toBlock(17, 18)))).toEqual([17]);
  });

  it("shows the row at the center of each pixel row, and each row at least once, on any grid", () => {
    const blocks = fc.record({
      north: fc.integer({ min: -600, max: 850 }),
      spacingYUdeg: fc.constantFrom(5000, 10_000, 40_000),
      start: fc.nat({ max: 50 }),
      count: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(blocks, ({ north, spacingYUdeg, start, count }) => {
        const grid = toGrid(start + count, north * 100_000, spacingYUdeg);
        const rows = projectRows(grid, toBlock(start, start + count));
        const edge = (row: number): number => (grid.northUdeg - row * spacingYUdeg) / 1e6;
        const top = mercatorY(edge(start));
        const bottom = mercatorY(edge(start + count));
        const heights = Array.from(
          { length: count },
          (_, row) => mercatorY(edge(start + row + 1)) - mercatorY(edge(start + row)),
        );
        expect((bottom - top) / rows.length).toBeLessThanOrEqual(Math.min(...heights) * (1 + 1e-9));
        expect(new Set(rows).size).toBe(count);
        rows.forEach((row, pixel) => {
          const latitude = latitudeOfY(top + ((pixel + 0.5) / rows.length) * (bottom - top));
          expect(latitude).toBeLessThanOrEqual(edge(row) + 1e-9);
          expect(latitude).toBeGreaterThanOrEqual(edge(row + 1) - 1e-9);
        });
      }),
      { seed: 3857, numRuns: 60 },
    );
  });
});
