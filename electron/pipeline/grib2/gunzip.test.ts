// Gzip around GRIB2: whole, damaged, oversized and truncated files.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isGrib2Error } from "./grib2-error.ts";
import { extraFieldLength, gunzip, gunzipPrefix, isGzip } from "./gunzip.ts";
import { catchError, loadFixture } from "../../support/grib2-fixtures/load.ts";

const plain = loadFixture("simple-20-bits.grib2");
const packed = new Uint8Array(gzipSync(plain));

describe("gunzip", () => {
  it("recognizes gzip by its first bytes", () => {
    expect([isGzip(packed), isGzip(plain), isGzip(packed.subarray(0, 1)), isGzip(new Uint8Array(0))]).toEqual(
      [true, false, false, false],
    );
  });

  it("unpacks a file of one or several members, padded with zeros or not", () => {
    expect(new Uint8Array(gunzip(packed))).toEqual(plain);
    const members = Uint8Array.from([
      ...gzipSync(plain.subarray(0, 100)),
      ...gzipSync(plain.subarray(100)),
      0,
      0,
    ]);
    expect(new Uint8Array(gunzip(members))).toEqual(plain);
  });

  it("reports a file truncated at any byte", () => {
    for (let length = 2; length < packed.length; length++) {
      const error = catchError(() => gunzip(packed.subarray(0, length)));
      expect(error).toSatisfy(isGrib2Error);
      expect(String(error)).toContain("The gzip file is incomplete");
    }
  });

  it("reports a wrong checksum or length as damage", () => {
    for (const at of [packed.length - 8, packed.length - 1]) {
      const damaged = packed.slice();
      damaged[at]! ^= 1;
      expect(() => gunzip(damaged)).toThrow(/The gzip file is damaged: incorrect (?:data|length) check/);
    }
  });

  it("refuses bytes after its last member, also after padding", () => {
    for (const tail of [[1], [0x1f, 0x8b], [0x1f, 0x8b, 8, 0], [0, 0, 7], [0, ...packed]]) {
      expect(catchError(() => gunzip(Uint8Array.from([...packed, ...tail])))).toSatisfy(isGrib2Error);
    }
    expect(() => gunzip(Uint8Array.from([...packed, 0, 0, 7]))).toThrow(
      `Bytes follow the end of the gzip file and its padding (byte ${packed.length + 2}`,
    );
  });

  it("stops at its limit of unpacked bytes", () => {
    const bomb = gzipSync(new Uint8Array(50_000_000));
    expect(() => gunzip(bomb, 1_000_000)).toThrow("unpacks to more than 1000000 bytes");
  });

  it("measures an extra field, which comes before the data", () => {
    const withExtra = Uint8Array.of(0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0x02, 0x01);
    const starts = [withExtra, packed, plain, withExtra.subarray(0, 3), new Uint8Array(0)];
    expect(starts.map(extraFieldLength)).toEqual([2 + 0x102, 0, 0, 0, 0]);
    expect(() => gunzipPrefix(withExtra, 300)).toThrow("The first 12 bytes of the gzip file hold no data");
  });

  it("unpacks the first bytes of a file from a part of it", () => {
    const prefix = gunzipPrefix(packed.subarray(0, packed.length - 200), 300);
    expect(new Uint8Array(prefix)).toEqual(plain.subarray(0, prefix.length));
    expect(prefix.length).toBeGreaterThan(170);
    expect(gunzipPrefix(gzipSync(new Uint8Array(10_000_000)).subarray(0, 4096), 4096)).toHaveLength(4096);
    expect(() => gunzipPrefix(Uint8Array.of(0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0, 0), 300)).toThrow(
      "The gzip file is damaged",
    );
  });
});
