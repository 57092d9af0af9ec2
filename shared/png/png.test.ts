// The parts of PNG that every reader shares: checksums, chunks, header, text and filters, each at its edges.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PNG_SIGNATURE, readChunks } from "./chunks.ts";
import type { PngChunk } from "./chunks.ts";
import { crc32 } from "./crc32.ts";
import { filteredByteLength, parseHeader } from "./header.ts";
import type { PngHeader } from "./header.ts";
import { isPngError } from "./png-error.ts";
import { createDecoder8, createScanlineReader } from "./scanlines.ts";
import { findText, parseText } from "./png-text.ts";
import { FILTER_CODES, toPaethPredictor, unfilterRow } from "./unfilter.ts";
import { createLane8, unfilterRow8 } from "./unfilter-8.ts";
import { findRunEnd } from "./word-runs.ts";

const seed = 41;

function toBytes32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function toCodes(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

function toChunk(type: string, content: readonly number[]): number[] {
  const body = toCodes(type).concat(content);
  return [...toBytes32(content.length), ...body, ...toBytes32(crc32(Uint8Array.from(body)))];
}

function toPng(...chunks: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...PNG_SIGNATURE, ...chunks.flat()]);
}

const ihdr = toChunk("IHDR", [...toBytes32(3), ...toBytes32(2), 8, 0, 0, 0, 0]);
const iend = toChunk("IEND", []);

describe("CRC-32", () => {
  it("has the check value of its definition, as a whole and in parts", () => {
    const digits = Uint8Array.from("123456789", (digit) => digit.charCodeAt(0));
    expect(crc32(digits)).toBe(0xcbf43926);
    expect(crc32(digits.subarray(2), crc32(digits.subarray(0, 2)))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });
});

describe("chunks", () => {
  it("are read in order, with views of the PNG's own bytes", () => {
    const png = toPng(ihdr, toChunk("IDAT", [1, 2]), iend);
    const chunks = readChunks(png);
    expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
    expect(Array.from(chunks[1]!.content)).toEqual([1, 2]);
    expect(png[chunks[1]!.offset]).toBe(1);
  });

  it("may be of unknown types that are not critical", () => {
    expect(readChunks(toPng(ihdr, toChunk("xYZA", [1]), iend)).map(({ type }) => type)).toContain("xYZA");
  });

  it.each([
    [
      "no signature",
      Uint8Array.of(0x89, 0x50, 0x4e, 0x48, 13, 10, 26, 10),
      "the PNG signature is missing (byte 3",
    ],
    ["half a signature", Uint8Array.of(0x89, 0x50), "the PNG signature is cut short (byte 2"],
    ["no chunk", toPng(), "a chunk of at least 12 bytes is expected but 0 are left (byte 8"],
    ["no header first", toPng(iend), "the first chunk must be IHDR but is IEND"],
    ["two headers", toPng(ihdr, ihdr, iend), "there is a second IHDR chunk"],
    [
      "a length beyond the end",
      toPng(ihdr, [...toBytes32(9), 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0]),
      "chunk IDAT has a length of 9 bytes, but 0",
    ],
    [
      "a length beyond 31 bits",
      toPng(ihdr, [...toBytes32(-1), 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0]),
      "chunk IDAT has a length of 4294967295",
    ],
    ["a type that is none", toPng(ihdr, toChunk("ID T", [])), "not a letter"],
    [
      "an unknown critical chunk",
      toPng(ihdr, toChunk("IXYZ", [1]), iend),
      "critical chunk IXYZ is not known",
    ],
    ["bytes after the end", toPng(ihdr, iend, [0]), "1 bytes follow the last chunk (IEND)"],
    ["no end", toPng(ihdr), "a chunk of at least 12 bytes is expected"],
  ])("reports %s", (_, png, words) => {
    expect(() => readChunks(png)).toThrow(words);
  });

  it("do not survive a flipped bit anywhere", () => {
    const png = toPng(ihdr, toChunk("IDAT", [1, 2, 3]), iend);
    for (let bit = 0; bit < png.length * 8; bit++) {
      const damaged = png.slice();
      damaged[bit >>> 3]! ^= 1 << (bit & 7);
      expect(() => readChunks(damaged)).toThrow(/byte \d+ of the PNG/);
    }
  });
});

describe("header", () => {
  const parse = (...tail: number[]): PngHeader =>
    parseHeader(Uint8Array.from([...toBytes32(3), ...toBytes32(2), ...tail]), 16);

  it("reads sizes, in pixels and bytes", () => {
    expect(parse(16, 0, 0, 0, 0)).toEqual({
      widthPx: 3,
      heightPx: 2,
      bitDepth: 16,
      colorType: "gray",
      bytesPerPixel: 2,
    });
    expect(filteredByteLength(parse(8, 2, 0, 0, 0))).toBe(2 * (1 + 9));
    expect(parse(8, 3, 0, 0, 0).colorType).toBe("palette");
  });

  it.each([
    [[4, 3, 0, 0, 0], "bit depth 4 with color type 3 is not supported"],
    [[16, 2, 0, 0, 0], "bit depth 16 with color type 2 is not supported"],
    [[8, 6, 0, 0, 0], "bit depth 8 with color type 6 is not supported"],
    [[8, 0, 0, 0, 1], "interlace method 1 is not supported"],
    [[8, 0, 1, 0, 0], "must both be 0"],
    [[8, 0], "IHDR must have 13 bytes but has 10"],
  ])("refuses %j", (tail, words) => {
    expect(() => parse(...tail)).toThrow(words);
  });

  it("refuses a picture without pixels, or of more than 31 bits", () => {
    expect(() => parseHeader(Uint8Array.from([...toBytes32(0), ...toBytes32(2), 8, 0, 0, 0, 0]), 16)).toThrow(
      "0 by 2 pixels",
    );
    expect(() =>
      parseHeader(Uint8Array.from([...toBytes32(1), ...toBytes32(-1), 8, 0, 0, 0, 0]), 16),
    ).toThrow("4294967295 pixels");
  });
});

describe("text", () => {
  const toText = (...content: number[]): PngChunk => ({
    type: "iTXt",
    content: Uint8Array.from(content),
    offset: 8,
  });

  it("is read as UTF-8, after ignored languages", () => {
    const chunk = toText(
      ...toCodes("a:b"),
      0,
      0,
      0,
      ...toCodes("en"),
      0,
      ...toCodes("x"),
      0,
      0x25,
      0xc3,
      0xa9,
      0xe2,
      0x82,
      0xac,
    );
    expect(parseText(chunk)).toEqual({ keyword: "a:b", text: "%é€" });
    expect(findText([chunk], "a:b")).toBe("%é€");
    expect(findText([chunk], "a")).toBeUndefined();
  });

  it.each([
    [[], "an iTXt chunk has no keyword"],
    [[0, 0, 0, 0, 0], "an iTXt chunk has no keyword"],
    [[65, 0], 'the iTXt chunk "A" is cut short'],
    [[65, 0, 1, 0, 0, 0], 'the iTXt chunk "A" is compressed'],
    [[65, 0, 0, 0, 66], 'the iTXt chunk "A" has no text'],
    [[65, 0, 0, 0, 0, 0, 0xc3], 'the iTXt chunk "A" is not UTF-8'],
    [[65, 0, 0, 0, 0, 0, 0xed, 0xa0, 0x80], 'the iTXt chunk "A" is not UTF-8'],
  ])("refuses %j", (content, words) => {
    expect(() => parseText(toText(...content))).toThrow(words);
  });
});

describe("filters", () => {
  it("predict the nearest of left, up and upper left; of two as near, left before up before upper left", () => {
    expect(toPaethPredictor(10, 20, 12)).toBe(20);
    expect(toPaethPredictor(20, 10, 12)).toBe(20);
    expect(toPaethPredictor(10, 20, 15)).toBe(15);
    expect(toPaethPredictor(4, 13, 10)).toBe(4);
    expect(toPaethPredictor(13, 4, 10)).toBe(4);
  });

  it("give the same by runs as sample by sample", () => {
    // Mostly zeros and repeats, so that all of the paths for flat lines are taken.
    const flat = fc.array(
      fc.tuple(
        fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 255 })),
        fc.integer({ min: 1, max: 90 }),
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    const expand = (runs: readonly (readonly [number, number])[]): number[] =>
      runs.flatMap(([value, length]) => Array<number>(length).fill(value));
    fc.assert(
      fc.property(fc.nat({ max: 4 }), flat, flat, (filter, lineRuns, aboveRuns) => {
        const line = expand(lineRuns);
        const allAbove = expand(aboveRuns);
        const above = Array.from(line, (_, at) => allAbove[at] ?? 0);
        const plain = Uint8Array.from(line);
        expect(unfilterRow(filter, plain, Uint8Array.from(above), 1)).toBe(true);
        const [lineLane, aboveLane, out] = [
          createLane8(line.length),
          createLane8(line.length),
          createLane8(line.length),
        ];
        lineLane.samples.set(line);
        aboveLane.samples.set(above);
        expect(unfilterRow8(filter, lineLane, aboveLane, out)).toBe(true);
        expect(Array.from(out.samples.subarray(0, line.length))).toEqual(Array.from(plain));
      }),
      { seed, numRuns: 600 },
    );
  });

  it("that do not exist are refused", () => {
    expect(unfilterRow(5, new Uint8Array(3), new Uint8Array(3), 1)).toBe(false);
    let error: unknown;
    try {
      readRows([Uint8Array.of(0, 1, 2, 9, 1, 2)], 2, 2);
    } catch (caught) {
      error = caught;
    }
    expect(error).toSatisfy(isPngError);
    expect(String(error)).toContain("row 1 of the picture has filter 9");
  });

  it("are undone over a whole picture, in pieces of any size", () => {
    const { sub, up, average } = FILTER_CODES;
    const filtered = Uint8Array.of(sub, 1, 1, 1, up, 1, 1, 1, average, 1, 0, 0);
    for (let length = 1; length <= filtered.length; length++) {
      const pieces = Array.from({ length: Math.ceil(filtered.length / length) }, (_, piece) =>
        filtered.subarray(piece * length, (piece + 1) * length),
      );
      expect(readRows(pieces, 3, 3)).toEqual([
        [1, 2, 3],
        [2, 3, 4],
        [2, 2, 3],
      ]);
    }
  });

  it("of pixels of several bytes reach back by a whole pixel", () => {
    const first = Uint8Array.of(1, 2, 3, 1, 1, 1);
    unfilterRow(FILTER_CODES.sub, first, new Uint8Array(6), 3);
    expect(Array.from(first)).toEqual([1, 2, 3, 2, 3, 4]);
    const second = new Uint8Array(6);
    unfilterRow(FILTER_CODES.average, second, first, 3);
    expect(Array.from(second)).toEqual([0, 1, 1, 1, 2, 2]);
  });
});

/** Returns the rows of a gray picture from these pieces of its filtered bytes. */
function readRows(pieces: readonly Uint8Array[], widthPx: number, heightPx: number): number[][] {
  const header: PngHeader = { widthPx, heightPx, bitDepth: 8, colorType: "gray", bytesPerPixel: 1 };
  const rows: number[][] = [];
  const read = createScanlineReader(header, createDecoder8(header), (row, samples) => {
    expect(row).toBe(rows.length);
    rows.push(Array.from(samples));
  });
  for (const piece of pieces) read(piece);
  return rows;
}

describe("runs of words", () => {
  it("end at the first other word, or with the array", () => {
    const words = Int32Array.of(7, 7, 7, 7, 7, 7, 8, 7);
    expect(findRunEnd(words, 0, 7)).toBe(6);
    expect(findRunEnd(words, 6, 7)).toBe(6);
    expect(findRunEnd(words, 7, 7)).toBe(8);
    expect(findRunEnd(words, 8, 7)).toBe(8);
  });
});
