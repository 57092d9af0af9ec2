import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePng } from "../../electron/platform/png/write.ts";
import { crc32 } from "../../shared/png/crc32.ts";
import { isPngError } from "../../shared/png/png-error.ts";
import type { FilterName } from "../../shared/png/unfilter.ts";
import { decodeFrame } from "./decode-frame.ts";
import type { FrameDepth, IndexedFrame } from "./decoded-frame.ts";
import { readCell } from "../../shared/frames/index-grid.ts";

const widthPx = 37;
const heightPx = 23;
const rows = Uint8Array.from({ length: widthPx * heightPx }, (_, at) => (at % 5 === 0 ? (at * 31) % 4 : 0));
const palette = Uint8Array.of(0, 0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90);
const classes = { product: "mrms-reflectivity", unit: "dBZ", edges: [5, 10, 15] };
const coverageBits = Uint8Array.of(0b1010_0000, 0b0100_0000);
const coverage = {
  bounds: [-100, 40, -99, 41],
  width: 3,
  height: 3,
  bits: deflateSync(coverageBits).toString("base64"),
};

function encode(
  change: { filter?: FilterName; texts?: { keyword: string; text: string }[] } = {},
): Uint8Array {
  const texts = change.texts ?? [
    { keyword: "echotop:classes", text: JSON.stringify(classes) },
    { keyword: "echotop:coverage", text: JSON.stringify(coverage) },
  ];
  const parts = { widthPx, heightPx, bitDepth: 8, colorType: "palette", rows, palette, texts } as const;
  return encodePng({ ...parts, transparency: Uint8Array.of(0), filter: change.filter });
}

async function decode(png: Uint8Array, depth: FrameDepth = "levels"): Promise<IndexedFrame> {
  const frame = await decodeFrame(png, { maxTilePx: 2048, depth });
  if (frame.kind !== "indexed") throw new Error("The frame has no indices.");
  return frame;
}

function cellsOf({ grid }: IndexedFrame): number[] {
  return Array.from({ length: widthPx * heightPx }, (_, at) =>
    readCell(grid, Math.floor(at / widthPx), at % widthPx),
  );
}

describe("decoding a frame", () => {
  test.each<FilterName>(["none", "sub", "up", "average", "paeth"])("undoes the filter %s", async (filter) => {
    for (const depth of ["levels", "cells"] as const)
      expect(cellsOf(await decode(encode({ filter }), depth))).toEqual([...rows]);
  });

  test("to its cells alone leaves out the coarser levels, and nothing else", async () => {
    const { coarser, ...whole } = await decode(encode());
    expect(coarser.length).toBeGreaterThan(0);
    expect(await decode(encode(), "cells")).toEqual({ ...whole, coarser: [] });
  });

  test("gives back the cells of any picture, of any width and filter", async () => {
    const pictures = fc.record({
      widthPx: fc.integer({ min: 1, max: 40 }),
      runs: fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 9 }),
      filter: fc.constantFrom<FilterName>("none", "sub", "up", "average", "paeth"),
    });
    await fc.assert(
      fc.asyncProperty(pictures, async ({ widthPx, runs, filter }) => {
        const cells = runs.flatMap(([value, length]) => Array<number>(length).fill(value));
        const heightPx = Math.ceil(cells.length / widthPx);
        const rows = new Uint8Array(widthPx * heightPx);
        rows.set(cells);
        const { grid } = await decode(
          encodePng({ widthPx, heightPx, bitDepth: 8, colorType: "palette", rows, palette, filter }),
        );
        const read = Array.from(rows, (_, at) => readCell(grid, Math.floor(at / widthPx), at % widthPx));
        expect(read).toEqual([...rows]);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test("reads palette, classes and coverage", async () => {
    const frame = await decode(encode());
    expect([...frame.palette.subarray(0, 20)]).toEqual([
      0, 0, 0, 0, 10, 20, 30, 255, 40, 50, 60, 255, 70, 80, 90, 255, 0, 0, 0, 0,
    ]);
    expect(frame.classes).toEqual(classes);
    expect(frame.coverage).toMatchObject({ bounds: coverage.bounds, width: 3, height: 3 });
    expect([...frame.coverage!.bits]).toEqual([...coverageBits]);
  });

  test("draws a palette picture of another service, without classes", async () => {
    const frame = await decode(encode({ texts: [] }));
    expect(frame.classes).toBeUndefined();
    expect(frame.coverage).toBeUndefined();
    expect(cellsOf(frame)).toEqual([...rows]);
  });

  test.each([
    ["echotop:classes", "not JSON"],
    ["echotop:classes", JSON.stringify({ ...classes, edges: [] })],
    ["echotop:classes", JSON.stringify({ ...classes, edges: [5, 15, 10] })],
    ["echotop:coverage", JSON.stringify({ ...coverage, bits: "!" })],
    ["echotop:coverage", JSON.stringify({ ...coverage, width: 30_000, height: 10_000 })],
    ["echotop:coverage", JSON.stringify({ ...coverage, width: 40 })],
  ])("refuses a text %s that does not keep its contract: %s", async (keyword, text) => {
    await expect(decode(encode({ texts: [{ keyword, text }] }))).rejects.toSatisfy(isPngError);
  });

  test("refuses a picture that is cut short anywhere", async () => {
    const png = encode();
    for (let length = 0; length < png.length; length++) {
      await expect(decode(png.subarray(0, length))).rejects.toSatisfy(isPngError);
    }
  });

  test("refuses any flipped bit", async () => {
    const png = encode();
    const flips = fc.record({ at: fc.nat(png.length - 1), bit: fc.nat(7) });
    await fc.assert(
      fc.asyncProperty(flips, async ({ at, bit }) => {
        const flipped = png.slice();
        flipped[at] = flipped[at]! ^ (1 << bit);
        await expect(decode(flipped)).rejects.toSatisfy(isPngError);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test("refuses a header that promises more than the bytes can hold, before taking memory for it", async () => {
    const forged = Buffer.from(encode());
    forged.writeUInt32BE(11_000, 16);
    forged.writeUInt32BE(11_000, 20);
    forged.writeUInt32BE(crc32(forged.subarray(12, 29)), 29);
    await expect(decode(forged)).rejects.toThrow(/cannot hold/u);
  });
});
