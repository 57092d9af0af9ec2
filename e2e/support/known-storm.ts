// The storm of the browser tests: small MRMS files over central Oklahoma with known cells. Four quadrants meet at
// Norman (97.44 W, 35.22 N), so a search for Norman puts their corner at the center of the map.
import { writeGribFile } from "../../electron/support/grib-files.ts";

const columns = 400;
const rows = 300;
const westUdeg = -99_440_000;
const northUdeg = 36_720_000;
const middleColumn = 200;
const middleRow = 150;

export interface Quadrants {
  readonly northWest: number;
  readonly northEast: number;
  readonly southWest: number;
  readonly southEast: number;
}

/** Flag values of the files. */
export const noEcho = -99;
export const noHail = -1;
export const noCoverage = -999;

export interface KnownFile {
  readonly product: "mrms-reflectivity" | "mrms-mesh";
  readonly observedAt: string;
  readonly quadrants: Quadrants;
}

/** Writes one file and returns its path. */
export function writeKnownFile(directory: string, { product, observedAt, quadrants }: KnownFile): string {
  const { northWest, northEast, southWest, southEast } = quadrants;
  return writeGribFile(directory, {
    product,
    observedAt,
    columns,
    rows,
    westUdeg,
    northUdeg,
    values: (row, column) => {
      if (row < middleRow) return column < middleColumn ? northWest : northEast;
      return column < middleColumn ? southWest : southEast;
    },
  });
}

/** Returns observation times two minutes apart, some seconds past the minute as in MRMS. */
export function observedAt(window: number, second = 40): string {
  const start = Date.UTC(2024, 4, 20, 21, 0, second);
  return new Date(start + window * 120_000).toISOString().replace(".000Z", "Z");
}
