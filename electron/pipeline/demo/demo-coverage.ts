// The cells of the region within range of a weather radar of the WSR-88D network.
import { cellsOf, region, rowN, toPosition } from "./region.ts";
import type { Position } from "./region.ts";

/** The usual range of precipitation estimates. */
const RANGE_KM = 230;

/**
 * Sites by call sign, `[longitude, latitude]`. Goodland (KGLD) and North Platte (KLNX) are left out, as if down for
 * maintenance, so that a part of the map has no coverage.
 */
const sites: Readonly<Record<string, readonly [number, number]>> = {
  KAMA: [-101.709, 35.233],
  KDDC: [-99.969, 37.761],
  KDMX: [-93.723, 41.731],
  KDYX: [-99.254, 32.538],
  KEAX: [-94.264, 38.81],
  KFDR: [-98.977, 34.362],
  KFWS: [-97.303, 32.573],
  KICT: [-97.443, 37.655],
  KINX: [-95.564, 36.175],
  KLBB: [-101.814, 33.654],
  KLZK: [-92.262, 34.836],
  KOAX: [-96.367, 41.32],
  KSGF: [-93.4, 37.235],
  KSHV: [-93.841, 32.451],
  KSRX: [-94.362, 35.29],
  KTLX: [-97.278, 35.333],
  KTWX: [-96.233, 38.997],
  KUEX: [-98.442, 40.321],
  KVNX: [-98.128, 36.741],
};

/** Returns the position of a radar. @throws RangeError for an unknown call sign */
export function radarPosition(callSign: string): Position {
  const site = sites[callSign];
  if (!site) throw new RangeError(`There is no radar ${callSign}.`);
  return toPosition(...site);
}

/** Returns one byte for each cell of the region, row-major, north row first: 1 within range of a radar. */
export function createCoverage(): Uint8Array {
  const covered = new Uint8Array(region.columns * region.rows);
  for (const { x, n } of Object.keys(sites).map(radarPosition)) {
    for (let row = 0; row < region.rows; row++) {
      const north = rowN(row) - n;
      const halfWidth = Math.sqrt(RANGE_KM * RANGE_KM - north * north);
      if (Number.isNaN(halfWidth)) continue;
      const { columnStart, columnEnd } = cellsOf([x - halfWidth, 0, x + halfWidth, 0]);
      covered.fill(1, row * region.columns + columnStart, row * region.columns + columnEnd);
    }
  }
  return covered;
}
