// Radar coverage as the map draws it: the grid's rows, equal steps of latitude, turned into equal steps of Web Mercator y. Pure.
import type { Bounds } from "../../shared/contract/index.ts";
import { latitudeOfY, mercatorY } from "../../shared/geo/mercator.ts";
import type { CoverageGrid } from "./decoded-frame.ts";

export interface CoverageMask {
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
  /** heightPx rows of widthPx bytes, north-west first: 1 inside coverage, 0 outside. Rows are equal steps of Mercator y. */
  readonly cells: Uint8Array<ArrayBuffer>;
}

/** Rows of the mask for a row of the grid: no grid row is lost, and edges are off by a quarter of a cell at most. */
const rowsPerRow = 2;

export function toCoverageMask({ bounds, width, height, bits }: CoverageGrid): CoverageMask {
  const [, south, , north] = bounds;
  const top = mercatorY(north);
  const bottom = mercatorY(south);
  const heightPx = height * rowsPerRow;
  const cells = new Uint8Array(width * heightPx);
  for (let row = 0; row < heightPx; row++) {
    const latitude = latitudeOfY(top + ((row + 0.5) / heightPx) * (bottom - top));
    const gridRow = Math.min(
      height - 1,
      Math.max(0, Math.floor(((north - latitude) / (north - south)) * height)),
    );
    for (let column = 0; column < width; column++) {
      const bit = gridRow * width + column;
      cells[row * width + column] = (bits[bit >> 3]! >> (7 - (bit & 7))) & 1;
    }
  }
  return { bounds, widthPx: width, heightPx, cells };
}

export function isSameCoverage(a: CoverageGrid, b: CoverageGrid): boolean {
  if (a === b) return true;
  if (a.width !== b.width || a.height !== b.height || a.bounds.join() !== b.bounds.join()) return false;
  return a.bits.every((byte, index) => byte === b.bits[index]);
}
