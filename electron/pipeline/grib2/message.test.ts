// Errors about damaged and foreign messages: the expected value, the actual one, and the place.
import { describe, expect, it } from "vitest";
import { decodeField } from "./decode-field.ts";
import { isGrib2Error } from "./grib2-error.ts";
import { readHeader, readMessage } from "./message.ts";
import {
  catchError,
  loadFixture,
  patched,
  sectionStarts,
  toBytes32,
} from "../../support/grib2-fixtures/load.ts";

const simple = loadFixture("simple.grib2");
const png = loadFixture("png-16.grib2");

function toText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe("a file that is not GRIB2", () => {
  it.each([
    ["nothing", new Uint8Array(0), "this is empty"],
    [
      "a Git-LFS pointer",
      toText("version https://git-lfs.github.com/spec/v1\noid sha256:00"),
      "a Git-LFS pointer, not the file itself",
    ],
    ["gzip", Uint8Array.of(0x1f, 0x8b, 8, 0), "compressed with gzip"],
    ["a page", toText("\n<!DOCTYPE html><html>"), "an HTML page"],
    [
      "an error of an object store",
      toText('<?xml version="1.0"?><Error><Code>NoSuchKey</Code>'),
      "an XML document",
    ],
    ["JSON", toText('{"message":"not found"}'), "JSON text"],
    ["text", toText("404 page not found\n"), "some other text"],
    ["netCDF", toText("CDF\u0001"), "a netCDF file"],
    ["a picture", Uint8Array.of(0x89, 0x50, 0x4e, 0x47), "a PNG picture"],
    ["other bytes", Uint8Array.of(0, 1, 2, 3, 254, 255), "something else"],
  ])("%s is named in the message", (_, bytes, words) => {
    expect(() => decodeField(bytes)).toThrow(words);
    expect(catchError(() => decodeField(bytes))).toSatisfy(isGrib2Error);
  });

  it("with another edition is refused by its number", () => {
    expect(() => decodeField(patched(simple, 7, 1))).toThrow("this is edition 1 (section 0, byte 7)");
  });
});

describe("the structure of a message", () => {
  it("must have its exact length", () => {
    expect(() => decodeField(simple.subarray(0, -1))).toThrow(
      `File is incomplete: ${simple.length - 1} of ${simple.length} bytes`,
    );
    expect(() => decodeField(Uint8Array.from([...simple, 0]))).toThrow(
      "1 bytes follow the end of the message",
    );
    expect(() => decodeField(Uint8Array.from([...simple, ...simple]))).toThrow("has a second message");
  });

  it("must end with 7777", () => {
    expect(() => decodeField(patched(simple, simple.length - 1, 0x38))).toThrow("does not end with 7777");
  });

  it("must have sections in order, with valid lengths", () => {
    expect(() => decodeField(patched(simple, sectionStarts[3] + 4, 4))).toThrow(
      "Section 3 (grid definition) is expected, but this is section 4 (section 3, byte 41)",
    );
    expect(() => decodeField(patched(simple, sectionStarts[5], 0x7f))).toThrow(
      /Section 5 .* but the message has \d+ left/,
    );
    expect(() => decodeField(patched(simple, sectionStarts[1] + 3, 5))).toThrow(
      "has a length of 5 bytes, but needs 21",
    );
  });

  it("must contain one field", () => {
    const second = simple.subarray(sectionStarts[4], -4);
    const both = Uint8Array.from([...simple.subarray(0, -4), ...second, ...simple.subarray(-4)]);
    expect(() => decodeField(patched(both, 12, ...toBytes32(both.length)))).toThrow(
      "The message holds more than one field: section 4 follows section 7",
    );
  });

  it("may contain a local section 2", () => {
    const local = [0, 0, 0, 8, 2, 1, 2, 3];
    const bytes = Uint8Array.from([
      ...simple.subarray(0, sectionStarts[3]),
      ...local,
      ...simple.subarray(sectionStarts[3]),
    ]);
    expect(decodeField(patched(bytes, 12, ...toBytes32(bytes.length))).codes).toEqual(
      decodeField(simple).codes,
    );
  });
});

describe("an unsupported template or method is refused by number", () => {
  it.each([
    ["Grid template", sectionStarts[3] + 13, 30, "Grid template 3.30 is not supported"],
    ["Scanning mode", sectionStarts[3] + 71, 0x08, "Scanning mode 8"],
    ["Product template", sectionStarts[4] + 8, 8, "Product template 4.8 is not supported"],
    ["Data template", sectionStarts[5] + 10, 40, "Data template 5.40 is not supported"],
    ["bits", sectionStarts[5] + 19, 33, "33 bits a value are not supported"],
    ["bitmap", sectionStarts[6] + 5, 254, "Bitmap indicator 254 is not supported"],
    ["forecast", sectionStarts[4] + 21, 6, "the forecast time is 6"],
  ])("%s", (_, at, value, words) => {
    expect(() => decodeField(patched(simple, at, value))).toThrow(words);
  });
});

describe("inconsistent numbers", () => {
  it.each([
    [
      "an impossible date",
      sectionStarts[1] + 14,
      [2, 30],
      "The reference time 2024-02-30T02:52:39Z does not exist",
    ],
    ["an impossible time", sectionStarts[1] + 16, [24], "does not exist"],
    [
      "cells and points",
      sectionStarts[3] + 30,
      toBytes32(25),
      "25 by 18 cells, but the section announces 432 data points",
    ],
    ["no cells", sectionStarts[3] + 30, toBytes32(0), "The grid has 0 by 18 cells"],
    [
      "a giant grid",
      sectionStarts[3] + 30,
      toBytes32(0xffffffff),
      "The grid has 4294967295 by 18 cells, but 1 to 100000 a side and at most 100000000 in all",
    ],
    ["The last latitude", sectionStarts[3] + 55, toBytes32(40_835_000), "The last latitude is 40.835"],
    ["The last longitude", sectionStarts[3] + 59, toBytes32(262_245_000), "The last longitude is 262.245"],
    ["packed values", sectionStarts[5] + 5, toBytes32(431), "announces 431 packed values, but 432 cells"],
    [
      "a reference that is not a number",
      sectionStarts[5] + 11,
      [0x7f, 0xc0, 0, 0],
      "The reference value is not a number",
    ],
    ["a scale out of range", sectionStarts[5] + 17, [0x40, 0], "must be within ±127"],
    [
      "bits and data",
      sectionStarts[5] + 19,
      [12],
      "432 values of 12 bits need 648 bytes, but section 7 has 594",
    ],
  ])("%s", (_, at, replacement, words) => {
    expect(() => decodeField(patched(simple, at, ...replacement))).toThrow(words);
  });

  it("a packed PNG of another size or depth than the field is refused", () => {
    const ihdr = sectionStarts[7] + 5 + 16;
    // The PNG's checksum is verified before its size is used.
    expect(() => decodeField(patched(png, ihdr + 3, 25))).toThrow(
      "the checksum of chunk IHDR does not match",
    );
    expect(() => decodeField(patched(png, sectionStarts[5] + 19, 8))).toThrow(
      "The picture has 16 bits a pixel, but section 5 says 8 bits a value",
    );
    const turned = patched(
      patched(png, sectionStarts[3] + 30, ...toBytes32(18), ...toBytes32(24)),
      sectionStarts[3] + 55,
      ...toBytes32(40_765_000),
      ...toBytes32(262_175_000),
    );
    expect(() => decodeField(turned)).toThrow(
      "The picture has 24 by 18 pixels, but the grid has 18 by 24 cells",
    );
  });
});

describe("the header", () => {
  it("has identity, center, time, grid and packing", () => {
    expect(readHeader(simple)).toMatchObject({
      identity: { discipline: 209, category: 3, parameter: 28 },
      center: 161,
      subcenter: 0,
      referenceAt: "2024-02-28T02:52:39Z",
      packing: { template: 0, reference: -30, binaryScale: 0, decimalScale: 1, bitsPerValue: 11 },
      messageByteLength: simple.length,
    });
  });

  it("is read from sections 0 to 5 only, and needs each of their bytes", () => {
    const headerEnd = sectionStarts[6];
    expect(readHeader(simple.subarray(0, headerEnd))).toEqual(readHeader(simple));
    for (let length = 0; length < headerEnd; length++) {
      expect(catchError(() => readHeader(simple.subarray(0, length)))).toSatisfy(isGrib2Error);
    }
  });

  it("is the same at any offset in memory", () => {
    const shifted = new Uint8Array(simple.length + 3).subarray(3);
    shifted.set(simple);
    expect(readMessage(shifted).header).toEqual(readMessage(simple).header);
    expect(decodeField(shifted)).toEqual(decodeField(simple));
  });
});
