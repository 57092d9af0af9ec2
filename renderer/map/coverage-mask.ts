// Radar coverage as the map draws it: resamples the grid's equal steps of latitude to equal steps of Web Mercator y.
// Pure.
import type { Bounds } from "../../shared/contract/index.ts";
import { latitudeOfY, mercatorY } from "../../shared/geo/mercator.ts";
import { coverageRow, isCellCovered } from "../../shared/frames/coverage-grid.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";

export interface CoverageMask {
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * heightPx rows of widthPx bytes, northwest first: 1 inside coverage, 0 outside. Rows are equal steps of Mercator
   * y.
   */
  readonly cells: Uint8Array<ArrayBuffer>;
}

/** Rows of the mask per row of the grid: keeps every grid row, with edges off by at most a quarter of a cell. */
const rowsPerRow = 2;

export function toCoverageMask(grid: CoverageGrid): CoverageMask {
  const { bounds, width } = grid;
  const [, south, , north] = bounds;
  const top = mercatorY(north);
  const bottom = mercatorY(south);
  const heightPx = grid.height * rowsPerRow;
  const cells = new Uint8Array(width * heightPx);
  let lastRow = -1;
  for (let row = 0; row < heightPx; row++) {
    const gridRow = coverageRow(grid, latitudeOfY(top + ((row + 0.5) / heightPx) * (bottom - top)));
    if (gridRow === lastRow) {
      cells.copyWithin(row * width, (row - 1) * width, row * width);
      continue;
    }
    lastRow = gridRow;
    for (let column = 0; column < width; column++) {
      cells[row * width + column] = isCellCovered(grid, column, gridRow) ? 1 : 0;
    }
  }
  return { bounds, widthPx: width, heightPx, cells };
}

export function isSameCoverage(a: CoverageGrid, b: CoverageGrid): boolean {
  if (a === b) return true;
  if (a.width !== b.width || a.height !== b.height || a.bounds.join() !== b.bounds.join()) return false;
  return a.bits.every((byte, index) => byte === b.bits[index]);
}
