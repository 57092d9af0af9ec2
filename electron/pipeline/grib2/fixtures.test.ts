// Each packing and scanning mode against the values that ecCodes and GDAL read from the same files.
import { describe, expect, it } from "vitest";
import { decodeField } from "./decode-field.ts";
import { readMessage } from "./message.ts";
import { fixtureNames, loadFixture, loadFixtureTruth } from "../../support/grib2-fixtures/load.ts";
import { toValue } from "../../support/grib2-fixtures/to-value.ts";
import { visitFieldRows } from "./visit-rows.ts";

const truths = loadFixtureTruth();

describe("fixtures", () => {
  it("all have expected values", () => {
    expect(fixtureNames.toSorted()).toEqual(Object.keys(truths).toSorted());
    expect(fixtureNames.length).toBeGreaterThan(25);
  });

  it.each(fixtureNames)("%s decodes to the values of other decoders", (name) => {
    const truth = truths[name]!;
    const field = decodeField(loadFixture(name));
    expect(field.packing).toEqual(truth.packing);
    expect([field.grid.columns, field.grid.rows]).toEqual([truth.columns, truth.rows]);
    const values = Array.from(field.codes, (code, cell) =>
      field.missing?.[cell] === 1 ? null : Math.fround(toValue(code, field.packing)),
    );
    expect(values).toEqual(truth.values.map((value) => (value === null ? null : Math.fround(value))));
  });

  it.each(fixtureNames)("%s has its outer edges on whole hundredths of a degree", (name) => {
    const { grid } = decodeField(loadFixture(name));
    expect(grid).toEqual({
      columns: truths[name]!.columns,
      rows: truths[name]!.rows,
      westUdeg: -98_000_000,
      northUdeg: 41_000_000,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    });
  });

  it.each(fixtureNames)("%s gives the same codes row by row as in one pass", async (name) => {
    const bytes = loadFixture(name);
    const { codes, missing, grid } = decodeField(bytes);
    const seen: number[] = [];
    await visitFieldRows(readMessage(bytes), (row, line, missingLine) => {
      seen.push(row);
      const at = row * grid.columns;
      expect(Array.from(line)).toEqual(Array.from(codes.subarray(at, at + grid.columns)));
      expect(missingLine).toEqual(missing?.subarray(at, at + grid.columns));
    });
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: grid.rows }, (_, row) => row));
  });
});
