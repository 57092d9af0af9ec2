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

/** Returns the column that holds a longitude, or -1 outside the grid. */
export function coverageColumn(
  { bounds: [west, , east], width }: CoverageGrid,
  longitudeDeg: number,
): number {
  const column = Math.floor(((longitudeDeg - west) / (east - west)) * width);
  return column >= 0 && column < width ? column : -1;
}

/** Returns the row that holds a latitude, or -1 outside the grid. */
export function coverageRow(
  { bounds: [, south, , north], height }: CoverageGrid,
  latitudeDeg: number,
): number {
  const row = Math.floor(((north - latitudeDeg) / (north - south)) * height);
  return row >= 0 && row < height ? row : -1;
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
