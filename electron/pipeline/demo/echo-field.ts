// The field that storms are painted into: echo strength and possible hail, before rounding to the steps of MRMS.
import { cellsOf, columnX, region, rowN } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";
import type { Tile } from "./noise.ts";

/** Two planes over the region, row-major, north row first. */
export interface EchoField {
  /** Echo in dBZ; `NO_ECHO` or less without one. */
  readonly dbz: Float32Array;
  /** The largest hail, in mm, for the strongest echo at each cell. */
  readonly hailMm: Float32Array;
}

/** The time and the noise that all storms of one observation share. */
export interface Weather {
  /** Minutes since the start of the event. */
  readonly timeMin: number;
  /** Shapes of 32 to 128 km. */
  readonly broad: Tile;
  /** Shapes of 4 to 32 km. */
  readonly texture: Tile;
}

/** One storm, or a group of them, over the whole event. */
export interface Storm {
  paint(field: EchoField, weather: Weather): void;
}

export const NO_ECHO = -60;
/** The weakest echo that can change a visible value. */
const WEAKEST_ECHO = -24;

export function createEchoField(): EchoField {
  const cells = region.columns * region.rows;
  return { dbz: new Float32Array(cells), hailMm: new Float32Array(cells) };
}

export function clearField({ dbz, hailMm }: EchoField): void {
  dbz.fill(NO_ECHO);
  hailMm.fill(0);
}

/** Adds the power of two echoes: at most 3 dB above the stronger one. */
export function addEcho(first: number, second: number): number {
  const stronger = first > second ? first : second;
  const apart = 1 - Math.abs(first - second) / 14;
  return apart > 0 ? stronger + 3 * apart * apart : stronger;
}

/** Returns the falloff of an echo at a squared distance: flat in the core, nearly linear outside. */
export function falloff(squared: number): number {
  return (1.5 * squared) / (1 + 0.5 * Math.sqrt(squared));
}

/**
 * Writes the echo of one row of cells, `n` km north of the center: `row[column]`, in dBZ, for the columns from
 * `columnStart` to before `columnEnd`, which hold `NO_ECHO` before.
 */
export type RowPainter = (n: number, row: Float32Array, columnStart: number, columnEnd: number) => void;

const rowBuffer = new Float32Array(region.columns);

/** Adds an echo to every cell of a box, row by row: a call for each cell would cost more than its echo. */
export function paintEcho({ dbz }: EchoField, box: BoxKm, paintRow: RowPainter): void {
  const { columnStart, columnEnd, rowStart, rowEnd } = cellsOf(box);
  for (let row = rowStart; row < rowEnd; row++) {
    rowBuffer.fill(NO_ECHO, columnStart, columnEnd);
    paintRow(rowN(row), rowBuffer, columnStart, columnEnd);
    const first = row * region.columns;
    for (let column = columnStart; column < columnEnd; column++) {
      const echo = rowBuffer[column]!;
      if (echo > WEAKEST_ECHO) dbz[first + column] = addEcho(dbz[first + column]!, echo);
    }
  }
}

/** Raises the hail in a circle, from `peakMm` in its middle to 0 at its radius. */
export function paintHail({ hailMm }: EchoField, center: Position, radiusKm: number, peakMm: number): void {
  const box: BoxKm = [center.x - radiusKm, center.n - radiusKm, center.x + radiusKm, center.n + radiusKm];
  const { columnStart, columnEnd, rowStart, rowEnd } = cellsOf(box);
  for (let row = rowStart; row < rowEnd; row++) {
    const dn = (rowN(row) - center.n) / radiusKm;
    for (let column = columnStart; column < columnEnd; column++) {
      const dx = (columnX(column) - center.x) / radiusKm;
      const inside = 1 - dx * dx - dn * dn;
      if (inside <= 0) continue;
      const cell = row * region.columns + column;
      const potential = peakMm * Math.sqrt(inside);
      if (potential > hailMm[cell]!) hailMm[cell] = potential;
    }
  }
}
