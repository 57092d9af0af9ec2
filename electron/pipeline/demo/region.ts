// The region of the demonstration: a part of the MRMS grid over Oklahoma and Kansas, and a flat map in kilometers for
// the model of the storms.
import type { CellBlock, LatLonGrid } from "../../../shared/geo/grid.ts";

/** 10 by 8 degrees around Norman, Oklahoma City and Wichita, on edges of CONUS cells. */
export const region: LatLonGrid = {
  columns: 1000,
  rows: 800,
  westUdeg: -102_500_000,
  northUdeg: 40_400_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Kilometers east and north of the center of the region. */
export interface Position {
  readonly x: number;
  readonly n: number;
}

/** A rectangle in kilometers, `[west, south, east, north]`. */
export type BoxKm = readonly [number, number, number, number];

const CENTER_LONGITUDE = -97.5;
const CENTER_LATITUDE = 36.4;
const KM_PER_DEGREE = 111.195;
const KM_PER_LONGITUDE = KM_PER_DEGREE * Math.cos((CENTER_LATITUDE * Math.PI) / 180);

export const kmPerColumn = KM_PER_LONGITUDE * 0.01;
export const kmPerRow = KM_PER_DEGREE * 0.01;

export function toPosition(longitudeDeg: number, latitudeDeg: number): Position {
  return {
    x: (longitudeDeg - CENTER_LONGITUDE) * KM_PER_LONGITUDE,
    n: (latitudeDeg - CENTER_LATITUDE) * KM_PER_DEGREE,
  };
}

/** Returns `[longitude, latitude]` in degrees, to about 10 m. */
export function toLonLat({ x, n }: Position): [number, number] {
  const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return [round(CENTER_LONGITUDE + x / KM_PER_LONGITUDE), round(CENTER_LATITUDE + n / KM_PER_DEGREE)];
}

/** Returns the middle of a column, in km east of the center. */
export function columnX(column: number): number {
  return (column + 0.5 - region.columns / 2) * kmPerColumn;
}

/** Returns the middle of a row, in km north of the center. */
export function rowN(row: number): number {
  return (region.rows / 2 - row - 0.5) * kmPerRow;
}

/** Returns the whole cells in a box, clipped to the region. */
export function cellsOf([west, south, east, north]: BoxKm): CellBlock {
  const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(0, Math.round(value)));
  return {
    columnStart: clamp(west / kmPerColumn + region.columns / 2, region.columns),
    columnEnd: clamp(east / kmPerColumn + region.columns / 2, region.columns),
    rowStart: clamp(region.rows / 2 - north / kmPerRow, region.rows),
    rowEnd: clamp(region.rows / 2 - south / kmPerRow, region.rows),
  };
}
