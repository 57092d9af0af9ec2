// Complex packing built by hand, for cases that no available encoder writes: secondary missing values and inconsistent
// groups.
import { describe, expect, it } from "vitest";
import { decodeField } from "./decode-field.ts";
import {
  loadFixture,
  patched,
  sectionStarts,
  toBytes32,
  withData,
} from "../../support/grib2-fixtures/load.ts";

/** Sections 0 to 4 of a grid of 6 by 5 cells. */
const frame = loadFixture("scan-00.grib2");

interface Groups {
  readonly missingKinds?: number;
  /** Reference and width of each group, 8 bits each, and its length. */
  readonly groups: readonly (readonly [reference: number, width: number, length: number])[];
  /** Content of section 7 after references, widths and lengths. */
  readonly values: readonly number[];
  /** Section 5 after octet 47: order of differencing, octets of the extra values; and these values. */
  readonly differences?: { readonly order: number; readonly extra: readonly number[] };
}

function toMessage({ missingKinds = 0, groups, values, differences }: Groups): Uint8Array {
  const template = differences ? 3 : 2;
  const representation = [
    ...toBytes32(30),
    ...[0, template],
    ...[0, 0, 0, 0], // reference 0
    ...[0, 0, 0, 0], // scales
    ...[8, 0, 1, missingKinds],
    ...toBytes32(0),
    ...toBytes32(0),
    ...toBytes32(groups.length),
    ...[0, 8], // widths
    ...toBytes32(0),
    ...[1, ...toBytes32(groups.at(-1)?.[2] ?? 0), 8], // lengths
    ...(differences ? [differences.order, 1] : []),
  ];
  const data = [
    ...(differences?.extra ?? []),
    ...groups.map(([reference]) => reference),
    ...groups.map(([, width]) => width),
    ...groups.map(([, , length]) => length),
    ...values,
  ];
  return withData(frame, { 5: representation, 6: [255], 7: data });
}

describe("complex packing", () => {
  it("marks primary and secondary missing values, in groups of any width", () => {
    // In four bits, 15 is the primary and 14 the secondary missing value; in references, 255 and 254.
    const field = decodeField(
      toMessage({
        missingKinds: 2,
        groups: [
          [10, 4, 6],
          [255, 0, 6],
          [254, 0, 6],
          [253, 0, 6],
          [7, 0, 6],
        ],
        values: [0x01, 0xef, 0xd2],
      }),
    );
    expect(Array.from(field.codes.subarray(0, 6))).toEqual([10, 11, 0, 0, 23, 12]);
    expect(Array.from(field.missing!.subarray(0, 6))).toEqual([0, 0, 1, 1, 0, 0]);
    expect(Array.from(field.missing!.subarray(6))).toEqual([
      ...Array<number>(12).fill(1),
      ...Array<number>(12).fill(0),
    ]);
    expect([field.codes[18], field.codes[29]]).toEqual([253, 7]);
  });

  it("treats only the primary code as missing if the file has no secondary one", () => {
    const field = decodeField(
      toMessage({
        missingKinds: 1,
        groups: [
          [10, 4, 6],
          [254, 0, 24],
        ],
        values: [0x01, 0xef, 0xd2],
      }),
    );
    expect(Array.from(field.missing!.subarray(0, 6))).toEqual([0, 0, 0, 1, 0, 0]);
    expect([field.codes[2], field.codes[29], field.missing![29]]).toEqual([24, 254, 0]);
  });

  it("sums differences over the existing values only", () => {
    // First value 5, least difference -2: alternating differences of 4 (+2) and 0 (-2), and one missing value.
    const values = Array.from({ length: 15 }, (_, pair) => (pair === 1 ? 0xf4 : 0x40));
    const field = decodeField(
      toMessage({
        missingKinds: 1,
        groups: [[0, 4, 30]],
        values,
        differences: { order: 1, extra: [5, 0x82] },
      }),
    );
    // The first packed value stands for the first value and is unused: 5, -2, (none), +2, +2, -2, +2, -2 …
    expect(Array.from(field.codes.subarray(0, 8))).toEqual([5, 3, 0, 5, 7, 5, 7, 5]);
    expect(field.missing![2]).toBe(1);
  });

  it("refuses differences with a negative sum", () => {
    const message = toMessage({
      groups: [[0, 0, 30]],
      values: [],
      differences: { order: 1, extra: [5, 0x82] },
    });
    expect(() => decodeField(message)).toThrow("The differences add up to -1 at value 3");
  });

  it("returns a constant field without groups", () => {
    expect(decodeField(toMessage({ groups: [], values: [] })).codes.every((code) => code === 0)).toBe(true);
    expect(() => decodeField(toMessage({ groups: [], values: [1] }))).toThrow(
      "Section 7 has data, but no groups",
    );
  });

  it.each([
    [
      "lengths",
      {
        groups: [
          [1, 0, 10],
          [2, 0, 19],
        ],
        values: [],
      },
      "The groups hold 29 values, but section 5 announces 30",
    ],
    [
      "an empty group",
      {
        groups: [
          [1, 0, 0],
          [2, 0, 30],
        ],
        values: [],
      },
      "Group 0 has no values",
    ],
    ["widths", { groups: [[1, 40, 30]], values: [] }, "Group 0 has values of 40 bits"],
    ["data", { groups: [[1, 8, 30]], values: [1, 2, 3] }, "The groups need 33 bytes, but section 7 has 6"],
    [
      "order",
      { groups: [[1, 0, 30]], values: [], differences: { order: 3, extra: [0, 0] } },
      "order 3 is not supported",
    ],
    ["missing values", { groups: [[1, 0, 30]], values: [], missingKinds: 3 }, "Missing value management 3"],
  ] as const)("refuses inconsistent %s", (_, groups, words) => {
    expect(() => decodeField(toMessage(groups))).toThrow(words);
  });

  it("refuses more groups than its bytes can hold", () => {
    const message = toMessage({ groups: [[1, 0, 30]], values: [] });
    const many = patched(message, sectionStarts[5] + 31, ...toBytes32(0xffffff));
    expect(() => decodeField(many)).toThrow("16777215 groups cannot be in 3 bytes of 30 values");
  });
});
