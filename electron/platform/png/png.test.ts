// Writing and reading PNG with node:zlib: round trips of every kind of picture, and every kind of damage.
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PNG_SIGNATURE } from "../../../shared/png/chunks.ts";
import { filteredByteLength, HEADER_BYTES } from "../../../shared/png/header.ts";
import type { PngHeader } from "../../../shared/png/header.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { findText } from "../../../shared/png/png-text.ts";
import { unfilterRow } from "../../../shared/png/unfilter.ts";
import type { FilterName } from "../../../shared/png/unfilter.ts";
import { createLane8 } from "../../../shared/png/unfilter-8.ts";
import { parsePng, readPng, streamPngRows } from "./read.ts";
import { makeChunk } from "./support/make-chunk.ts";
import { createLane16, unfilterRow16 } from "./unfilter-16.ts";
import { encodePng, streamPng } from "./write.ts";
import type { PngImage } from "./write.ts";

const seed = 16;
const filters: readonly FilterName[] = ["none", "sub", "up", "average", "paeth"];
const kinds = [
  { bitDepth: 8, colorType: "gray", bytesPerPixel: 1 },
  { bitDepth: 16, colorType: "gray", bytesPerPixel: 2 },
  { bitDepth: 8, colorType: "rgb", bytesPerPixel: 3 },
  { bitDepth: 8, colorType: "palette", bytesPerPixel: 1 },
] as const;

/** Returns a picture with uniform areas and noise, always the same for a seed. */
function toImage(kind: (typeof kinds)[number], widthPx: number, heightPx: number, start = 1): PngImage {
  let state = start;
  const rows = Uint8Array.from({ length: widthPx * heightPx * kind.bytesPerPixel }, (_, at) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (at >> 5) % 3 === 0 ? state >>> 24 : 7;
  });
  const palette =
    kind.colorType === "palette" ? Uint8Array.from({ length: 768 }, (_, at) => at & 0xff) : undefined;
  return { widthPx, heightPx, bitDepth: kind.bitDepth, colorType: kind.colorType, rows, palette };
}

/** Returns the raw bytes of the samples. */
function toRows(samples: Uint8Array | Uint16Array): Uint8Array {
  if (samples instanceof Uint8Array) return samples;
  return Uint8Array.from(Array.from(samples).flatMap((sample) => [sample >> 8, sample & 0xff]));
}

function toGrayHeader(widthPx: number, heightPx: number): Uint8Array {
  const content = Buffer.alloc(HEADER_BYTES);
  content.writeUInt32BE(widthPx, 0);
  content.writeUInt32BE(heightPx, 4);
  content[8] = 8;
  return content;
}

/** Builds an 8-bit gray PNG with any bytes as its picture data. */
function toGrayPng(widthPx: number, heightPx: number, ...deflated: Uint8Array[]): Uint8Array {
  const idats = deflated.map((part) => makeChunk("IDAT", part));
  return Buffer.concat([
    PNG_SIGNATURE,
    makeChunk("IHDR", toGrayHeader(widthPx, heightPx)),
    ...idats,
    makeChunk("IEND", new Uint8Array(0)),
  ]);
}

describe("a picture that is written and read again", () => {
  it.each(kinds.flatMap((kind) => filters.map((filter) => ({ ...kind, filter }))))(
    "is the same with $bitDepth bits, $colorType and filter $filter",
    ({ filter, ...kind }) => {
      for (const [widthPx, heightPx] of [
        [1, 1],
        [7, 5],
        [130, 9],
      ] as const) {
        const image = toImage(kind, widthPx, heightPx);
        const picture = readPng(encodePng({ ...image, filter }), widthPx * heightPx);
        expect(toRows(picture.samples)).toEqual(image.rows);
        expect(picture.header).toMatchObject({ widthPx, heightPx, ...kind });
      }
    },
  );

  it("has its palette, transparency and texts before the picture data", () => {
    const image = {
      ...toImage(kinds[3], 4, 4),
      transparency: Uint8Array.of(0),
      texts: [{ keyword: "a:b", text: "{é}" }],
    };
    const { chunks, palette, transparency } = readPng(encodePng(image), 16);
    expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "PLTE", "tRNS", "iTXt", "IDAT", "IEND"]);
    expect(Array.from(palette ?? [])).toEqual(Array.from(image.palette ?? []));
    expect(Array.from(transparency ?? [])).toEqual([0]);
    expect(findText(chunks, "a:b")).toBe("{é}");
  });

  it("is the same for every compression, and the bytes are always the same", () => {
    const image = toImage(kinds[0], 50, 40);
    for (const strategy of ["default", "filtered", "huffman", "rle"] as const) {
      for (const level of [0, 1, 9]) {
        const png = encodePng({ ...image, strategy, level });
        expect(readPng(png, 2000).samples.slice()).toEqual(image.rows);
        expect(encodePng({ ...image, strategy, level })).toEqual(png);
      }
    }
  });

  it("is the same if it is streamed in blocks of rows", async () => {
    const image = toImage(kinds[0], 700, 2000);
    const png = await streamPng({
      ...image,
      strategy: "rle",
      writeScanline: (row, line) => {
        line[0] = 0;
        line.set(image.rows.subarray(row * 700, (row + 1) * 700), 1);
      },
    });
    expect(Buffer.compare(readPng(png, 1_400_000).samples as Uint8Array, image.rows)).toBe(0);
    let next = 0;
    await streamPngRows(parsePng(png), (row, samples) => {
      expect(row).toBe(next++);
      expect(Buffer.compare(samples as Uint8Array, image.rows.subarray(row * 700, (row + 1) * 700))).toBe(0);
    });
    expect(next).toBe(2000);
  });
});

describe("16-bit filters", () => {
  it("give the same result run by run as byte by byte", () => {
    const runs = fc.array(
      fc.tuple(fc.constantFrom(0, 0, 1, 0x100, 0xff00, 0x1234), fc.integer({ min: 1, max: 60 })),
      { minLength: 1, maxLength: 10 },
    );
    const expand = (list: readonly (readonly [number, number])[]): number[] =>
      list.flatMap(([value, length]) => Array.from({ length }, () => [value >> 8, value & 0xff]).flat());
    fc.assert(
      fc.property(fc.nat({ max: 4 }), runs, runs, (filter, lineRuns, aboveRuns) => {
        const line = expand(lineRuns);
        const allAbove = expand(aboveRuns);
        const above = Array.from(line, (_, at) => allAbove[at] ?? 0);
        const plain = Uint8Array.from(line);
        unfilterRow(filter, plain, Uint8Array.from(above), 2);
        const lineLane = createLane8(line.length);
        const [aboveLane, out] = [createLane16(line.length / 2), createLane16(line.length / 2)];
        lineLane.samples.set(line);
        for (let at = 0; at < line.length / 2; at++)
          aboveLane.samples[at] = (above[2 * at]! << 8) | above[2 * at + 1]!;
        expect(unfilterRow16(filter, lineLane, aboveLane, out)).toBe(true);
        expect(Array.from(toRows(out.samples.subarray(0, line.length / 2)))).toEqual(Array.from(plain));
      }),
      { seed, numRuns: 500 },
    );
    expect(unfilterRow16(5, createLane8(4), createLane16(2), createLane16(2))).toBe(false);
  });
});

describe("a damaged picture", () => {
  const scanlines = new Uint8Array(4 * 5);
  const deflated = deflateSync(scanlines);

  it("can be read once it is valid, with its data in one chunk or several", () => {
    expect(readPng(toGrayPng(4, 4, deflated), 16).samples.slice()).toEqual(new Uint8Array(16));
    expect(readPng(toGrayPng(4, 4, deflated.subarray(0, 3), deflated.subarray(3)), 16).samples).toHaveLength(
      16,
    );
  });

  it.each([
    [
      "too few bytes",
      toGrayPng(4, 4, deflateSync(scanlines.subarray(1))),
      "must inflate to 20 bytes but gives 19",
    ],
    ["too many bytes", toGrayPng(4, 4, deflateSync(new Uint8Array(21))), "inflate to more than the 20 bytes"],
    [
      "far too many bytes",
      toGrayPng(4, 4, deflateSync(new Uint8Array(1_000_000))),
      "inflate to more than the 20 bytes",
    ],
    ["a truncated stream", toGrayPng(4, 4, deflated.subarray(0, -1)), "unexpected end of file"],
    [
      "a wrong Adler checksum",
      toGrayPng(4, 4, Buffer.concat([deflated.subarray(0, -1), Buffer.of(99)])),
      "incorrect data check",
    ],
    [
      "bytes after the stream",
      toGrayPng(4, 4, Buffer.concat([deflated, Buffer.of(1, 2)])),
      "2 bytes follow the end of the picture data",
    ],
    ["no picture data", toGrayPng(4, 4), "there is no picture data (IDAT)"],
    [
      "a filter that does not exist",
      toGrayPng(4, 4, deflateSync(Uint8Array.from(scanlines, () => 5))),
      "row 0 of the picture has filter 5",
    ],
    ["more pixels than expected", toGrayPng(40, 40, deflated), "1600 pixels, more than the 16 expected"],
    ["a palette picture without palette", toPalettePng(), "no valid palette"],
  ])("with %s is refused with a sentence, as a whole and streamed", async (name, png, words) => {
    expect(() => readPng(png, 16)).toThrow(words);
    if (/pixels|palette/.test(name)) return;
    await expect(streamPngRows(parsePng(png), () => undefined)).rejects.toThrow(words);
  });

  it("is refused before inflation if its data are too short for its size", () => {
    const bomb = toGrayPng(30_000, 30_000, deflated);
    expect(() => readPng(bomb, 2 ** 30)).toThrow("cannot inflate to the 900030000 bytes of the picture");
  });

  it("passes through the errors of its reader", async () => {
    const stop = new Error("enough");
    await expect(
      streamPngRows(parsePng(toGrayPng(4, 4, deflated)), () => {
        throw stop;
      }),
    ).rejects.toBe(stop);
  });

  it("with separated picture data is refused", () => {
    const part = makeChunk("IDAT", deflated);
    const png = Buffer.concat([
      PNG_SIGNATURE,
      makeChunk("IHDR", toGrayHeader(4, 4)),
      part,
      makeChunk("tEXt", Buffer.of(65, 0)),
      part,
      makeChunk("IEND", Buffer.alloc(0)),
    ]);
    expect(() => readPng(png, 16)).toThrow("picture data (IDAT) are not contiguous");
  });

  function toPalettePng(): Uint8Array {
    const header = Buffer.from(toGrayHeader(4, 4));
    header[9] = 3;
    return Buffer.concat([
      PNG_SIGNATURE,
      makeChunk("IHDR", header),
      makeChunk("IDAT", deflated),
      makeChunk("IEND", Buffer.alloc(0)),
    ]);
  }
});

describe("an invalid picture that is to be written", () => {
  const image = toImage(kinds[0], 4, 4);
  it.each([
    ["missing rows", { ...image, heightPx: 5 }, "rows must have 20 bytes but have 16"],
    ["no width", { ...image, widthPx: 0 }, "a picture of 0 by 4 pixels"],
    ["16-bit RGB", { ...image, bitDepth: 16, colorType: "rgb" }, "16-bit rgb is not supported"],
    ["a palette for gray", { ...image, palette: new Uint8Array(3) }, "color type palette needs a palette"],
    [
      "an incomplete palette entry",
      { ...image, colorType: "palette", palette: new Uint8Array(4) },
      "not 4 bytes",
    ],
    [
      "opacities without entries",
      { ...image, colorType: "palette", palette: new Uint8Array(3), transparency: new Uint8Array(2) },
      "2 opacities for 1",
    ],
    ["an empty keyword", { ...image, texts: [{ keyword: "", text: "" }] }, "cannot be a keyword"],
    [
      "a keyword that ends in a space",
      { ...image, texts: [{ keyword: "a ", text: "" }] },
      "cannot be a keyword",
    ],
  ] as const)("is refused for %s", (_, bad, words) => {
    expect(() => encodePng(bad)).toThrow(words);
  });
});

describe("seeded fuzzing", () => {
  const png = encodePng({ ...toImage(kinds[1], 30, 20), filter: "paeth" });

  /** Returns the samples, or undefined for a PngError; throws anything else. */
  function tryRead(bytes: Uint8Array): Uint8Array | Uint16Array | undefined {
    try {
      return readPng(bytes, 10_000).samples;
    } catch (error) {
      if (isPngError(error)) return undefined;
      throw error;
    }
  }

  it("a picture truncated at any byte gives a PngError", () => {
    for (let length = 0; length < png.length; length++)
      expect(tryRead(png.subarray(0, length))).toBeUndefined();
  });

  it("2,000 pictures with changed bytes give a PngError", () => {
    const damage = fc.array(fc.tuple(fc.nat({ max: png.length - 1 }), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(damage, (list) => {
        const copy = png.slice();
        for (const [at, xor] of list) copy[at]! ^= xor;
        // Two changes may cancel each other.
        if (Buffer.compare(copy, png) !== 0) expect(tryRead(copy)).toBeUndefined();
      }),
      { seed, numRuns: 2000 },
    );
  });

  it("1,000 pictures with false headers and data, but valid checksums, give a picture of the header's size or a PngError", () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.uint8Array({ maxLength: 200 }),
        fc.boolean(),
        (widthPx, heightPx, noise, isDeflated) => {
          const data = isDeflated ? deflateSync(noise) : noise;
          const samples = tryRead(toGrayPng(widthPx, heightPx, data));
          if (samples) expect(samples).toHaveLength(widthPx * heightPx);
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  it("any header of 13 bytes is accepted or refused, and never allocates memory on its word", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: HEADER_BYTES, maxLength: HEADER_BYTES }), (content) => {
        const bytes = Buffer.concat([
          PNG_SIGNATURE,
          makeChunk("IHDR", content),
          makeChunk("IDAT", deflateSync(Buffer.alloc(9))),
          makeChunk("IEND", Buffer.alloc(0)),
        ]);
        const samples = tryRead(bytes);
        if (samples) expect(filteredByteLength(parsePng(bytes).header satisfies PngHeader)).toBe(9);
      }),
      { seed, numRuns: 1000 },
    );
  });
});
