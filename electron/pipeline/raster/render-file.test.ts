// From file to frame: real files cell by cell, small files at each edge, and unusable files.
import { createHash } from "node:crypto";
import { gzipSync, inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import {
  FrameClasses,
  frameClassesKeyword,
  FrameCoverage,
  frameCoverageKeyword,
} from "../../../shared/contract/frame-metadata.ts";
import { boundsContain } from "../../../shared/geo/bounds.ts";
import { findCell, gridBounds } from "../../../shared/geo/grid.ts";
import { latitudeOfY, mercatorY } from "../../../shared/geo/mercator.ts";
import { findText } from "../../../shared/png/png-text.ts";
import { defaultPalette, stopColors, toRgba } from "../../../shared/products/palettes.ts";
import { classEdges, stopOfClass } from "../../../shared/products/product.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { decodeField } from "../grib2/decode-field.ts";
import type { Field } from "../grib2/field.ts";
import {
  hasRealFiles,
  loadFixture,
  loadRealFile,
  patched,
  sectionStarts,
  toBytes32,
} from "../../support/grib2-fixtures/load.ts";
import { toValue } from "../../support/grib2-fixtures/to-value.ts";
import { readPng } from "../../platform/png/read.ts";
import type { Frame } from "./render-frame.ts";
import { PEEK_BYTES, peekFile } from "./peek-file.ts";
import { createFileRenderer, renderFile } from "./render-file.ts";

const simple = loadFixture("simple.grib2");
const realFiles = [
  "MRMS_MESH_00.50_20240228-025239.grib2",
  "MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2",
];

interface ReadFrame {
  readonly indices: Uint8Array;
  readonly classes: FrameClasses;
  readonly coverage: FrameCoverage;
  readonly coverageBits: Uint8Array;
}

function readFrame(frame: Frame): ReadFrame {
  const { samples, header, chunks, palette, transparency } = readPng(frame.png, 100_000_000);
  expect([header.widthPx, header.heightPx, header.colorType]).toEqual([
    frame.widthPx,
    frame.heightPx,
    "palette",
  ]);
  const classes = FrameClasses.parse(JSON.parse(findText(chunks, frameClassesKeyword) ?? ""));
  const coverage = FrameCoverage.parse(JSON.parse(findText(chunks, frameCoverageKeyword) ?? ""));
  const product = getProduct(classes.product);
  const colors = stopColors(product, defaultPalette).map(toRgba);
  const shown = stopOfClass(product).map((stop) => colors[stop]!);
  expect(Array.from(palette ?? [])).toEqual([[0, 0, 0], ...shown.map((color) => color.slice(0, 3))].flat());
  expect(Array.from(transparency ?? [])).toEqual([0, ...shown.map(([, , , alpha]) => alpha)]);
  return {
    indices: samples as Uint8Array,
    classes,
    coverage,
    coverageBits: inflateSync(Buffer.from(coverage.bits, "base64")),
  };
}

/** Returns the class index at a position; undefined outside the frame. */
function findIndex(
  { bounds, widthPx, heightPx }: Frame,
  indices: Uint8Array,
  longitude: number,
  latitude: number,
): number | undefined {
  if (!boundsContain(bounds, longitude, latitude)) return undefined;
  const [west, south, east, north] = bounds;
  const column = Math.floor(((longitude - west) / (east - west)) * widthPx);
  const row = Math.floor(
    ((mercatorY(latitude) - mercatorY(north)) / (mercatorY(south) - mercatorY(north))) * heightPx,
  );
  return indices[row * widthPx + column];
}

/** Returns true if a decimal value of the file is in a class; index 0 is below the first edge. */
function holds(edges: readonly number[], index: number, value: number): boolean {
  const isAtOrAbove = (edge: number | undefined): boolean => edge === undefined || value >= edge - 1e-7;
  const isBelow = (edge: number | undefined): boolean => edge === undefined || value < edge - 1e-7;
  return (index === 0 || isAtOrAbove(edges[index - 1])) && isBelow(edges[index]);
}

interface Place {
  readonly longitude: number;
  readonly latitude: number;
  readonly value: number;
}

/** Centers of cells with at least this value, evenly spread over all of them. */
function samplePlaces({ grid, codes, packing }: Field, count: number, least: number): Place[] {
  const values = Array.from({ length: 1 << 16 }, (_, code) => toValue(code, packing));
  const cells: number[] = [];
  codes.forEach((code, cell) => {
    if (values[code]! >= least) cells.push(cell);
  });
  return Array.from({ length: count }, (_, index) => {
    const cell = cells[Math.floor(((index + 0.5) / count) * cells.length)]!;
    return {
      longitude: (grid.westUdeg + ((cell % grid.columns) + 0.5) * grid.spacingXUdeg) / 1e6,
      latitude: (grid.northUdeg - (Math.floor(cell / grid.columns) + 0.5) * grid.spacingYUdeg) / 1e6,
      value: values[codes[cell]!]!,
    };
  });
}

describe.skipIf(!hasRealFiles)("real files of both products (../shared/mrms)", { timeout: 60_000 }, () => {
  it.each(realFiles)("%s: 20 places are in a pixel of the correct class, within the bounds", async (file) => {
    const bytes = loadRealFile(`conus/${file}`);
    const { frame, product } = await renderFile(gzipSync(bytes));
    const { indices } = readFrame(frame);
    const edges = classEdges(product);
    const places = samplePlaces(decodeField(bytes), 20, edges[0]!);
    expect(places).toHaveLength(20);
    for (const { longitude, latitude, value } of places) {
      const index = findIndex(frame, indices, longitude, latitude);
      expect(index).toBeGreaterThan(0);
      expect({ value, held: holds(edges, index!, value) }).toEqual({ value, held: true });
    }
  });

  it.each(realFiles)("%s: 200,000 pixels show the cell under their center", async (file) => {
    const bytes = loadRealFile(`conus/${file}`);
    const field = decodeField(bytes);
    const { frame, product } = await renderFile(bytes);
    const { indices } = readFrame(frame);
    const [west, south, east, north] = frame.bounds;
    const top = mercatorY(north);
    const height = mercatorY(south) - top;
    const edges = classEdges(product);
    let wrong = 0;
    for (let sample = 0; sample < 200_000; sample++) {
      const pixel = (sample * 7_919_000_003) % indices.length;
      const longitude = west + (((pixel % frame.widthPx) + 0.5) / frame.widthPx) * (east - west);
      const latitude = latitudeOfY(
        top + ((Math.floor(pixel / frame.widthPx) + 0.5) / frame.heightPx) * height,
      );
      const { row, column } = findCell(field.grid, longitude, latitude)!;
      const value = toValue(field.codes[row * field.grid.columns + column]!, field.packing);
      if (!holds(edges, indices[pixel]!, value)) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it.each(realFiles)("%s: drawn cells reach all edges of the frame, and none is lost", async (file) => {
    const bytes = loadRealFile(`conus/${file}`);
    const field = decodeField(bytes);
    const { frame, product, header, messageSha256 } = await renderFile(bytes);
    expect(messageSha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(header.grid).toEqual(field.grid);
    const first = classEdges(product)[0]!;
    const values = Array.from({ length: 1 << 16 }, (_, code) => toValue(code, field.packing) >= first);
    const { columns } = field.grid;
    const box = { north: Infinity, south: 0, west: Infinity, east: 0 };
    let drawn = 0;
    field.codes.forEach((code, cell) => {
      if (!values[code]) return;
      drawn++;
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      box.north = Math.min(box.north, row);
      box.south = Math.max(box.south, row + 1);
      box.west = Math.min(box.west, column);
      box.east = Math.max(box.east, column + 1);
    });
    expect(frame.drawnCells).toBe(drawn);
    const expected = [
      -130 + box.west / 100,
      55 - box.south / 100,
      -130 + box.east / 100,
      55 - box.north / 100,
    ];
    frame.bounds.forEach((bound, index) => {
      expect(bound).toBeCloseTo(expected[index]!, 9);
    });
    expect(frame.widthPx).toBe(box.east - box.west);
  });

  it.each(realFiles)(
    "%s: coverage is set where at least half of a hundred cells are covered, also outside the crop",
    async (file) => {
      const bytes = loadRealFile(`conus/${file}`);
      const { codes, packing } = decodeField(bytes);
      const { frame, product } = await renderFile(bytes);
      const { coverage, coverageBits } = readFrame(frame);
      expect(coverage).toMatchObject({ bounds: [-130, 20, -60, 55], width: 700, height: 350 });
      const isInside = Array.from(
        { length: 1 << 16 },
        (_, code) => toValue(code, packing) >= product.flags.missing,
      );
      const counts = new Uint8Array(700 * 350);
      codes.forEach((code, cell) => {
        if (isInside[code]) counts[Math.floor(cell / 70_000) * 700 + Math.floor((cell % 7000) / 10)]!++;
      });
      const expected = new Uint8Array(Math.ceil(counts.length / 8));
      counts.forEach((count, bit) => {
        if (count >= 50) expected[bit >>> 3]! |= 0x80 >> (bit & 7);
      });
      expect(Buffer.compare(coverageBits, expected)).toBe(0);
      expect(counts.filter((count) => count >= 50).length).toBeGreaterThan(100_000);
    },
  );
});

describe("a small file", () => {
  it("gives the same frame with or without gzip, in any order, from any renderer", async () => {
    const first = await renderFile(simple);
    const [second, third] = await Promise.all([renderFile(gzipSync(simple)), renderFile(simple)]);
    const other = await createFileRenderer()(simple);
    for (const again of [second, third, other]) expect(again).toEqual(first);
    expect(first.product.id).toBe("mrms-mesh");
    expect(first.frame.frameId).toBe(createHash("sha256").update(first.frame.png).digest("hex"));
    expect(first.frame.frameId).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives the same picture from each lossless packing", async () => {
    const { frame } = await renderFile(simple);
    for (const name of ["complex.grib2", "differences-1.grib2", "differences-2.grib2"]) {
      expect((await renderFile(loadFixture(name))).frame.frameId).toBe(frame.frameId);
    }
  });

  it("draws the classes of its values and is transparent elsewhere", async () => {
    const { frame, product } = await renderFile(simple);
    const { indices, classes } = readFrame(frame);
    expect(classes).toEqual({ product: "mrms-mesh", unit: "mm", edges: classEdges(product) });
    const field = decodeField(simple);
    for (let cell = 0; cell < field.codes.length; cell++) {
      const longitude = -98 + ((cell % 24) + 0.5) / 100;
      const latitude = 41 - (Math.floor(cell / 24) + 0.5) / 100;
      const index = findIndex(frame, indices, longitude, latitude) ?? 0;
      expect(holds(classes.edges, index, toValue(field.codes[cell]!, field.packing))).toBe(true);
    }
    expect(Math.max(...indices)).toBe(frame.maxClass);
  });

  it("without drawn cells gives one transparent pixel over the whole grid, with its coverage", async () => {
    // With a decimal scale of 3, the largest value is 1 mm, and flags are hundredths.
    const blank = patched(simple, sectionStarts[5] + 17, 0, 3);
    const { frame, header } = await renderFile(blank);
    expect(frame).toMatchObject({
      widthPx: 1,
      heightPx: 1,
      drawnCells: 0,
      maxClass: 0,
      bounds: gridBounds(header.grid),
    });
    const read = readFrame(frame);
    expect(Array.from(read.indices)).toEqual([0]);
    expect(read.coverage).toMatchObject({ width: 3, height: 2, bounds: [-98, 40.8, -97.7, 41] });
    expect(Array.from(read.coverageBits)).toEqual([0b11111100]);
  });

  it("with one constant value gives a frame, although it has no packed data", async () => {
    const png = loadFixture("png-8.grib2");
    const constant = Uint8Array.from([
      ...png.subarray(0, sectionStarts[7]),
      0,
      0,
      0,
      5,
      7,
      0x37,
      0x37,
      0x37,
      0x37,
    ]);
    const bytes = patched(patched(constant, sectionStarts[5] + 19, 0), 12, ...toBytes32(constant.length));
    expect((await renderFile(bytes)).frame).toMatchObject({ drawnCells: 0, widthPx: 1 });
  });
});

describe("an unusable file", () => {
  it.each([
    [
      "another product, by its name",
      patched(simple, sectionStarts[4] + 9, 6, 1),
      "PrecipRate is not a layer of this viewer.",
    ],
    [
      "a product without a name",
      patched(simple, 6, 0),
      "The product of discipline 0, category 3, parameter 28 is not a layer of this viewer.",
    ],
    ["a truncated file", simple.subarray(0, -9), /^File is incomplete: \d+ of \d+ bytes \(byte \d+\)\.$/],
    ["a truncated gzip file", gzipSync(simple).subarray(0, 200), /^The gzip file is incomplete/],
    [
      "gzip of something else",
      gzipSync("<html>"),
      "A GRIB2 message is expected, but this is an HTML page (byte 0).",
    ],
  ])("%s, is refused with a message", async (_, bytes, words) => {
    const error: unknown = await renderFile(bytes).catch((caught: unknown) => caught);
    expect(error).toSatisfy((caught: unknown) => isAppError(caught, "source-invalid"));
    if (typeof words === "string") expect((error as Error).message).toBe(words);
    else expect((error as Error).message).toMatch(words);
  });

  it("does not affect the next one", async () => {
    const results = await Promise.allSettled([renderFile(simple.subarray(0, 300)), renderFile(simple)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("can reach too far north for Web Mercator", async () => {
    const north = patched(simple, sectionStarts[3] + 46, ...toBytes32(85_195_000));
    const far = patched(north, sectionStarts[3] + 55, ...toBytes32(85_025_000));
    await expect(renderFile(far)).rejects.toThrow(
      "The grid reaches from latitude 85.02 to 85.2, but Web Mercator ends at 85.05.",
    );
  });
});

describe("seeded fuzzing", () => {
  it("500 damaged messages give a frame or a message, and the renderer continues", async () => {
    const renderDamaged = createFileRenderer();
    const damage = fc.array(fc.tuple(fc.integer({ min: 12, max: 230 }), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    const names = fc.constantFrom(
      "simple.grib2",
      "complex-missing.grib2",
      "png-8.grib2",
      "simple-bitmap.grib2",
    );
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(names, damage, async (name, list) => {
        const bytes = loadFixture(name);
        for (const [at, xor] of list) bytes[at]! ^= xor;
        try {
          const { frame } = await renderDamaged(bytes);
          expect(readPng(frame.png, 10_000_000).header).toMatchObject({
            widthPx: frame.widthPx,
            heightPx: frame.heightPx,
          });
          outcomes.add("frame");
        } catch (error) {
          expect(error).toSatisfy((caught: unknown) => isAppError(caught, "source-invalid"));
          outcomes.add("sentence");
        }
      }),
      { seed: 209, numRuns: 500 },
    );
    expect(outcomes).toEqual(new Set(["frame", "sentence"]));
    expect(await renderDamaged(simple)).toEqual(await renderFile(simple));
  });
});

describe("a peek at a file", () => {
  it("finds header and product in the first bytes, compressed or not", () => {
    const { header, product } = peekFile(simple.subarray(0, 200));
    expect(header.referenceAt).toBe("2024-02-28T02:52:39Z");
    expect(product?.id).toBe("mrms-mesh");
    expect(peekFile(gzipSync(simple).subarray(0, PEEK_BYTES)).header).toEqual(header);
    expect(peekFile(patched(simple, sectionStarts[4] + 9, 6, 1)).product).toBeUndefined();
  });

  it("is refused for the same reasons as the file", () => {
    expect(() => peekFile(new Uint8Array(0))).toThrow(
      "A GRIB2 message is expected, but this is empty (byte 0).",
    );
    expect(() => peekFile(simple.subarray(0, 100))).toThrow(/The file ends within section 3/);
  });

  it.skipIf(!hasRealFiles)("needs only 4,096 bytes of real files", () => {
    for (const file of realFiles) {
      const bytes = loadRealFile(`conus/${file}`);
      const { header } = peekFile(gzipSync(bytes).subarray(0, PEEK_BYTES));
      expect(header).toEqual(peekFile(bytes.subarray(0, PEEK_BYTES)).header);
    }
  });
});
