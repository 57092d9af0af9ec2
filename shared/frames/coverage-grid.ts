// Radar coverage as a grid of bits: the cell of a point, and whether radars see it.
import type { Bounds } from "../contract/primitives.ts";

export interface CoverageGrid {
  /** Outer edges; rows are equal steps of latitude. */
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
  /** One bit per cell, row-major from the northwest, most significant bit first, no padding; 1 = covered. */
  readonly bits: Uint8Array<ArrayBuffer>;
}

/** Returns the column that holds a longitude, or -1 outside the grid. An edge belongs to the cell east of it. */
export function coverageColumn(
  { bounds: [west, , east], width }: CoverageGrid,
  longitudeDeg: number,
): number {
  return findStep(toUdeg(longitudeDeg) - toUdeg(west), toUdeg(east) - toUdeg(west), width);
}

/** Returns the row that holds a latitude, or -1 outside the grid. An edge belongs to the cell south of it. */
export function coverageRow(
  { bounds: [, south, , north], height }: CoverageGrid,
  latitudeDeg: number,
): number {
  return findStep(toUdeg(north) - toUdeg(latitudeDeg), toUdeg(north) - toUdeg(south), height);
}

/** Microdegrees are whole numbers: a point on an edge stays on it. */
function toUdeg(degrees: number): number {
  return Math.round(degrees * 1e6);
}

function findStep(distance: number, whole: number, steps: number): number {
  const step = Math.floor((distance * steps) / whole);
  return step >= 0 && step < steps ? step : -1;
}

/** Returns false for row or column -1. */
export function isCellCovered({ width, bits }: CoverageGrid, column: number, row: number): boolean {
  if (column < 0 || row < 0) return false;
  const cell = row * width + column;
  return (bits[cell >> 3]! & (0x80 >> (cell & 7))) !== 0;
}

export function isCovered(grid: CoverageGrid, longitudeDeg: number, latitudeDeg: number): boolean {
  return isCellCovered(grid, coverageColumn(grid, longitudeDeg), coverageRow(grid, latitudeDeg));
}

/** Marks a cell in the bits of a grid. `cell` is row * width + column. */
export function setCovered(bits: Uint8Array, cell: number): void {
  bits[cell >> 3]! |= 0x80 >> (cell & 7);
}
