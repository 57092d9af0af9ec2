import { describe, expect, test } from "vitest";
import { latitudeOfY, mercatorY } from "../../shared/geo/mercator.ts";
import { isCovered } from "../../shared/frames/coverage-grid.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { isSameCoverage, toCoverageMask } from "./coverage-mask.ts";

const width = 70;
const height = 35;
const bits = Uint8Array.from({ length: Math.ceil((width * height) / 8) }, (_, at) => (at * 73) & 0xff);
const coverage: CoverageGrid = { bounds: [-130, 20, -60, 55], width, height, bits };

describe("a coverage mask", () => {
  test("has the value of the grid at the center of each of its cells", () => {
    const mask = toCoverageMask(coverage);
    const [west, south, east, north] = mask.bounds;
    const top = mercatorY(north);
    for (let row = 0; row < mask.heightPx; row++) {
      const latitudeDeg = latitudeOfY(top + ((row + 0.5) / mask.heightPx) * (mercatorY(south) - top));
      for (let column = 0; column < mask.widthPx; column++) {
        const longitudeDeg = west + ((column + 0.5) / mask.widthPx) * (east - west);
        const expected = isCovered(coverage, longitudeDeg, latitudeDeg) ? 1 : 0;
        expect(mask.cells[row * mask.widthPx + column]).toBe(expected);
      }
    }
  });

  test("is made again only when the coverage differs", () => {
    expect(isSameCoverage(coverage, { ...coverage, bits: bits.slice() })).toBe(true);
    const other = bits.slice();
    other[9] = other[9]! ^ 1;
    expect(isSameCoverage(coverage, { ...coverage, bits: other })).toBe(false);
    expect(isSameCoverage(coverage, { ...coverage, bounds: [-130, 20, -60, 54] })).toBe(false);
  });
});
