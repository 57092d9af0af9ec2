// Grids of real files: rounded points, longitudes from 0 to 360, other units, and unsupported ones.
import { describe, expect, it } from "vitest";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { readHeader } from "./message.ts";
import { loadFixture, patched, sectionStarts, toBytes32 } from "../../support/grib2-fixtures/load.ts";

const simple = loadFixture("simple.grib2");
const start = sectionStarts[3];

interface GridNumbers {
  readonly columns: number;
  readonly rows: number;
  /** Stored values in microdegrees, or in `unit`. */
  readonly first: readonly [longitude: number, latitude: number];
  readonly last: readonly [longitude: number, latitude: number];
  readonly increment: number;
  readonly unit?: readonly [basicAngle: number, subdivisions: number];
}

function toSigned(value: number): number[] {
  return toBytes32(value < 0 ? 0x80000000 - value : value);
}

function readGrid(numbers: GridNumbers): LatLonGrid {
  const { columns, rows, first, last, increment, unit = [0, 0xffffffff] } = numbers;
  let bytes = patched(simple, start + 6, ...toBytes32(columns * rows));
  bytes = patched(bytes, start + 30, ...toBytes32(columns), ...toBytes32(rows), ...unit.flatMap(toBytes32));
  bytes = patched(bytes, start + 46, ...toSigned(first[1]), ...toSigned(first[0]));
  bytes = patched(bytes, start + 55, ...toSigned(last[1]), ...toSigned(last[0]));
  return readHeader(patched(bytes, start + 63, ...toBytes32(increment), ...toBytes32(increment))).grid;
}

const conus = { columns: 7000, rows: 3500, increment: 10_000 };

describe("grid definition", () => {
  it("trusts the first point and the increment, not the rounded last point", () => {
    expect(readGrid({ ...conus, first: [230_005_000, 54_995_000], last: [299_994_998, 20_005_001] })).toEqual(
      {
        columns: 7000,
        rows: 3500,
        westUdeg: -130_000_000,
        northUdeg: 55_000_000,
        spacingXUdeg: 10_000,
        spacingYUdeg: 10_000,
      },
    );
  });

  it("corrects first points that were rounded to 32-bit floats", () => {
    const grid = readGrid({ ...conus, first: [230_005_004, 54_995_000], last: [299_994_998, 20_005_000] });
    expect([grid.westUdeg, grid.northUdeg]).toEqual([-130_000_000, 55_000_000]);
  });

  it("corrects first points that were rounded to millidegrees on grids of 0.005 degrees", () => {
    const guam = { columns: 2000, rows: 1800, increment: 5000 };
    const grid = readGrid({ ...guam, first: [140_003_004, 17_998_000], last: [149_998_003, 9_003_000] });
    expect([grid.westUdeg, grid.northUdeg]).toEqual([140_000_000, 18_000_000]);
    const exact = readGrid({ ...guam, first: [140_002_500, 17_997_500], last: [149_997_500, 9_002_500] });
    expect([exact.westUdeg, exact.northUdeg]).toEqual([140_000_000, 18_000_000]);
  });

  it("keeps edges that are not multiples of the increment", () => {
    const grid = readGrid({
      columns: 10,
      rows: 10,
      increment: 10_000,
      first: [230_007_000, 54_993_000],
      last: [230_097_000, 54_903_000],
    });
    expect([grid.westUdeg, grid.northUdeg]).toEqual([-129_998_000, 54_998_000]);
  });

  it("reads longitudes of either convention", () => {
    const west = readGrid({
      columns: 10,
      rows: 10,
      increment: 10_000,
      first: [-97_995_000, 40_995_000],
      last: [-97_905_000, 40_905_000],
    });
    const east = readGrid({
      columns: 10,
      rows: 10,
      increment: 10_000,
      first: [262_005_000, 40_995_000],
      last: [262_095_000, 40_905_000],
    });
    expect(west).toEqual(east);
  });

  it("reads angles in the unit of the file", () => {
    const unit = [1, 1000] as const;
    const grid = readGrid({
      columns: 10,
      rows: 10,
      increment: 10,
      first: [262_005, 40_995],
      last: [262_095, 40_905],
      unit,
    });
    expect(grid).toMatchObject({ westUdeg: -98_000_000, northUdeg: 41_000_000, spacingXUdeg: 10_000 });
    expect(() =>
      readGrid({ columns: 10, rows: 10, increment: 10, first: [0, 0], last: [90, -90], unit: [1, 0] }),
    ).toThrow("A basic angle of 1 needs subdivisions");
  });

  it("refuses a grid that crosses the antimeridian or a pole with a message", () => {
    expect(() =>
      readGrid({
        columns: 10,
        rows: 10,
        increment: 1_000_000,
        first: [175_000_000, 9_000_000],
        last: [184_000_000, 0],
      }),
    ).toThrow(
      "runs from 174.5 to 184.5 degrees of longitude; one that crosses the antimeridian is not supported",
    );
    expect(() =>
      readGrid({
        columns: 10,
        rows: 10,
        increment: 1_000_000,
        first: [0, 90_000_000],
        last: [9_000_000, 81_000_000],
      }),
    ).toThrow("beyond a pole");
  });

  it("accepts a grid that ends at the antimeridian", () => {
    const grid = readGrid({
      columns: 10,
      rows: 10,
      increment: 1_000_000,
      first: [180_500_000, 9_500_000],
      last: [189_500_000, 500_000],
    });
    expect(grid.westUdeg).toBe(-180_000_000);
  });

  it("refuses increments of 0 and missing increments", () => {
    expect(() => readGrid({ columns: 10, rows: 10, increment: 0, first: [0, 0], last: [0, 0] })).toThrow(
      "An increment of 0",
    );
    expect(() => readHeader(patched(simple, start + 54, 0))).toThrow("The grid's increments are not given");
  });
});
