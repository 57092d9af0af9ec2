// The GRIB2 writer against the headers of real MRMS files and against the project's reader.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { mesh } from "../../../shared/products/mesh.ts";
import type { Product } from "../../../shared/products/product.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { decodeField } from "../grib2/decode-field.ts";
import { toValue } from "../../support/grib2-fixtures/to-value.ts";
import { encodeGrib2 } from "./grib2-writer.ts";

const conus: LatLonGrid = {
  columns: 7000,
  rows: 3500,
  westUdeg: -130_000_000,
  northUdeg: 55_000_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Sections 0 to 6 of two real files, up to the length of section 7. */
const realFiles: readonly { product: Product; observedAt: string; tenths: readonly number[]; hex: string }[] =
  [
    {
      // MRMS_MESH_00.50_20240228-025239.grib2: 0.8 to 20.8 mm.
      product: mesh,
      observedAt: "2024-02-28T02:52:39Z",
      tenths: [-30, -10, 8, 208],
      hex: `
        475249420000d102000000000000d578000000150100a10000ff010307e8021c023427020700000048030001
        75d720000000000201006128ee01006152b0010060ff2700001b5800000dac00000001000f4240034728380d
        b59908300131408911e18f76000027100000271000000000220400000000031c080061000000000000000066
        00000001f4ff010000000000000015050175d7200029c1f000000000000108000000000606ff`,
    },
    {
      // MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2: -25 to 67.5 dBZ.
      product: reflectivity,
      observedAt: "2022-07-04T11:00:40Z",
      tenths: [-9990, -990, -250, 675],
      hex: `
        475249420000d1020000000000167a37000000150100a10000ff010307e607040b0028020700000048030001
        75d720000000000201006128ee01006152b0010060ff2700001b5800000dac00000001000f4240034728380d
        b59908300131408911e18f760000271000002710000000002204000000000a00080061000000000000000066
        00000001f4ff010000000000000015050175d7200029c61c18000000000110000000000606ff`,
    },
  ];

/** Octets 9 to 16 hold the length of the whole message, which depends on its compression. */
function withoutLength(header: Buffer): Buffer {
  return Buffer.concat([header.subarray(0, 8), header.subarray(16)]);
}

describe("the GRIB2 writer", () => {
  test.each(realFiles)("writes the header of a real $product.fileStem file byte for byte", (file) => {
    const { product, observedAt } = file;
    const tenths = new Int16Array(conus.columns * conus.rows).fill(file.tenths[0]!);
    tenths.set(file.tenths, 4_000_000);
    const message = Buffer.from(encodeGrib2({ identity: product.grib, observedAt, grid: conus, tenths }));
    const real = Buffer.from(file.hex.replaceAll(/\s/g, ""), "hex");
    expect(withoutLength(message.subarray(0, real.length))).toEqual(withoutLength(real));
    expect(message.readBigUInt64BE(8)).toBe(BigInt(message.length));
    expect(message.subarray(-4).toString("latin1")).toBe("7777");
  });

  test("writes values that the reader returns unchanged, in 8 or 16 bits", () => {
    const draft = fc
      .record({
        columns: fc.integer({ min: 1, max: 12 }),
        rows: fc.integer({ min: 1, max: 9 }),
        west: fc.integer({ min: -18_000, max: 17_900 }),
        north: fc.integer({ min: -8_900, max: 9_000 }),
        wide: fc.boolean(),
      })
      .chain(({ columns, rows, west, north, wide }) =>
        fc.record({
          grid: fc.constant({
            columns,
            rows,
            westUdeg: west * 10_000,
            northUdeg: north * 10_000,
            spacingXUdeg: 10_000,
            spacingYUdeg: 10_000,
          }),
          values: fc.array(fc.integer(wide ? { min: -9990, max: 700 } : { min: -30, max: 225 }), {
            minLength: columns * rows,
            maxLength: columns * rows,
          }),
        }),
      );
    fc.assert(
      fc.property(draft, ({ grid, values }) => {
        const tenths = Int16Array.from(values);
        const observedAt = "2026-05-20T21:00:39Z";
        const field = decodeField(encodeGrib2({ identity: mesh.grib, observedAt, grid, tenths }));
        expect(field.grid).toEqual(grid);
        expect(field.identity).toEqual(mesh.grib);
        expect(field.referenceAt).toBe(observedAt);
        const range = Math.max(...values) - Math.min(...values);
        expect(field.packing).toEqual({
          template: 41,
          bitsPerValue: range > 255 ? 16 : 8,
          reference: Math.min(...values),
          binaryScale: 0,
          decimalScale: 1,
        });
        expect(Array.from(field.codes, (code) => toValue(code, field.packing))).toEqual(
          values.map((value) => value / 10),
        );
      }),
      { seed: 5, numRuns: 120 },
    );
  });

  test("refuses values that do not fit the grid", () => {
    const draft = { identity: mesh.grib, observedAt: "2026-05-20T21:00:39Z", tenths: new Int16Array(5) };
    expect(() => encodeGrib2({ ...draft, grid: { ...conus, columns: 3, rows: 2 } })).toThrow(RangeError);
    expect(() => encodeGrib2({ ...draft, grid: { ...conus, columns: 0, rows: 2 } })).toThrow(RangeError);
  });
});
