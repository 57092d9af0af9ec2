// The memory that decoding takes: giant fields in tiny files.
import { describe, expect, it } from "vitest";
import {
  loadFixture,
  patched,
  sectionStarts,
  toBytes32,
  withData,
} from "../../support/grib2-fixtures/load.ts";
import { readHeader, readMessage } from "./message.ts";
import { visitFieldRows } from "./visit-rows.ts";

const side = 10_000;
const cells = side * side;

/** Sections 0 to 4 of a grid of 10,000 by 10,000 cells. */
function toGiant(bytes: Uint8Array): Uint8Array {
  const at = sectionStarts[3];
  const corner = new DataView(bytes.buffer, bytes.byteOffset + at);
  const lastLatitude = (side - 1) * 10_000 - corner.getUint32(46);
  const west = 210_005_000;
  let giant = patched(bytes, at + 6, ...toBytes32(cells));
  giant = patched(giant, at + 30, ...toBytes32(side), ...toBytes32(side));
  giant = patched(giant, at + 50, ...toBytes32(west));
  // The sign is the first bit.
  giant = patched(giant, at + 55, ...toBytes32(0x80000000 + lastLatitude));
  return patched(giant, at + 59, ...toBytes32(west + (side - 1) * 10_000));
}

const giant = toGiant(loadFixture("scan-00.grib2"));

const head = (template: number, bits: number): number[] => [
  ...toBytes32(cells),
  ...[0, template, 0, 0, 0, 0, 0, 0, 0, 0, bits, 0],
];
/** Section 5 after the bits of a value: one group, or none, of all cells. */
const grouped = (groups: number): number[] => [
  ...[1, 0, ...toBytes32(0), ...toBytes32(0), ...toBytes32(groups)],
  ...[0, 8, ...toBytes32(0), 1, ...toBytes32(cells), 8],
];

const tiny: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ["simple packing without bits", head(0, 0), []],
  ["complex packing without groups", [...head(2, 8), ...grouped(0)], []],
  ["complex packing of one group of width 0", [...head(2, 8), ...grouped(1)], [7, 0, 0]],
  ["one group of width 0 with equal differences", [...head(3, 8), ...grouped(1), 1, 1], [5, 0, 0, 0, 0]],
  ["one group of width 0 with rising differences", [...head(3, 8), ...grouped(1), 1, 1], [5, 0, 1, 0, 0]],
  ["a PNG without picture", head(41, 0), []],
];

describe("a giant field in a tiny file", () => {
  it.each(tiny)("of %s takes the memory of a few rows", async (_, representation, data) => {
    const message = readMessage(withData(giant, { 5: representation, 6: [255], 7: data }));
    const before = process.memoryUsage().arrayBuffers;
    const enough = new Error("one row is enough");
    let held = Infinity;
    const visited = visitFieldRows(message, () => {
      held = process.memoryUsage().arrayBuffers - before;
      throw enough;
    });
    await expect(visited).rejects.toBe(enough);
    expect(held).toBeLessThan(1 << 20);
  });
});

describe("the estimate of memory", () => {
  it.each([
    ["rows of any packing", "png-16.grib2", 0],
    ["rows with a bitmap", "simple-bitmap.grib2", 0],
    ["a picture with a bitmap, whose samples and codes are whole", "png-16-bitmap.grib2", 2 + 2],
    ["columns, which become a plane of codes", "scan-20.grib2", 1],
  ])("counts %s", (_, name, bytesOfCell) => {
    const { grid, decodeBytes } = readHeader(loadFixture(name));
    expect(decodeBytes).toBe(grid.columns * grid.rows * bytesOfCell);
  });
});
