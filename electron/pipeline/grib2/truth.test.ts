// Real MRMS files, compared bit by bit with other decoders (ecCodes and GDAL; see that folder's README).
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { gridBounds } from "../../../shared/geo/grid.ts";
import { decodeField } from "./decode-field.ts";
import type { Field } from "./field.ts";
import { gunzip, isGzip } from "./gunzip.ts";
import { readHeader } from "./message.ts";
import { hasRealFiles, loadRealFile } from "../../support/grib2-fixtures/load.ts";
import { toValue } from "../../support/grib2-fixtures/to-value.ts";

interface TruePoint {
  readonly row: number;
  readonly col: number;
  readonly value: number | null;
}

interface TrueFile {
  readonly file: string;
  readonly readable?: false;
  readonly reference_time: string;
  readonly grid: { readonly ni: number; readonly nj: number; readonly di: number };
  readonly packing: {
    readonly data_template: number;
    readonly bits_per_value: number;
    readonly reference_value: number;
  };
  readonly identity: { readonly discipline: number; readonly category: number; readonly parameter: number };
  readonly sentinels: { readonly marked_by_the_packing: number };
  readonly points: readonly TruePoint[];
  readonly decoded: {
    readonly packed_codes_u32le_sha256: string;
    readonly values_f32le_sha256: string;
  } | null;
  readonly cross_check: { readonly gdal_geotransform: readonly number[] };
}

/** The first and the last of one event's twenty files suffice: all have the same packing. */
const skippedOfSeries = /^series-.*-00(?:0[2-9]|[12]\d|3[0-6])00\.grib2$|^series-.*-001\d00\.grib2$/;

const files: readonly TrueFile[] = hasRealFiles
  ? (JSON.parse(Buffer.from(loadRealFile("truth.json")).toString("utf8")) as { files: TrueFile[] }).files
  : [];

function loadMessage(file: string): Uint8Array {
  const bytes = loadRealFile(file);
  return isGzip(bytes) ? gunzip(bytes) : bytes;
}

function toSha256(words: Uint32Array | Float32Array): string {
  return createHash("sha256").update(new Uint8Array(words.buffer)).digest("hex");
}

/** One float32 per cell. */
function toFloats({ codes, packing }: Field): Float32Array {
  const values = new Float32Array(codes.length);
  for (let cell = 0; cell < codes.length; cell++) {
    const isRepeated = cell > 0 && codes[cell] === codes[cell - 1];
    values[cell] = isRepeated ? values[cell - 1]! : toValue(codes[cell]!, packing);
  }
  return values;
}

// Each file has up to 24.5 million cells, hashed twice.
describe.skipIf(!hasRealFiles)("real MRMS files (../shared/mrms)", { timeout: 120_000 }, () => {
  const readable = files.filter(
    ({ file, readable: isReadable }) => isReadable !== false && !skippedOfSeries.test(file),
  );

  it("all exist", () => {
    expect(readable).toHaveLength(files.length - 19);
  });

  it.each(readable)("$file decodes to the expected codes and values", (truth) => {
    const field = decodeField(loadMessage(truth.file));
    expect(field.identity).toMatchObject({
      discipline: truth.identity.discipline,
      category: truth.identity.category,
      parameter: truth.identity.parameter,
    });
    expect(field.referenceAt).toBe(truth.reference_time);
    expect(field.packing).toMatchObject({
      template: truth.packing.data_template,
      bitsPerValue: truth.packing.bits_per_value,
      reference: truth.packing.reference_value,
    });
    const values = toFloats(field);
    for (const { row, col, value } of truth.points) {
      const cell = row * field.grid.columns + col;
      const found = field.missing?.[cell] === 1 ? null : values[cell]!;
      if (value === null || found === null) expect(found).toBe(value);
      else expect(found).toBeCloseTo(value, 4);
    }
    expect(field.missing?.reduce((sum, flag) => sum + flag, 0) ?? 0).toBe(
      truth.sentinels.marked_by_the_packing,
    );
    if (!truth.decoded) return;
    expect(toSha256(new Uint32Array(field.codes))).toBe(truth.decoded.packed_codes_u32le_sha256);
    expect(toSha256(values)).toBe(truth.decoded.values_f32le_sha256);
  });

  it.each(readable)(
    "$file has exact outer edges",
    ({ file, grid: trueGrid, cross_check: { gdal_geotransform } }) => {
      const { grid } = readHeader(loadMessage(file));
      expect([grid.columns, grid.rows]).toEqual([trueGrid.ni, trueGrid.nj]);
      expect(grid.spacingXUdeg).toBe(trueGrid.di * 1e6);
      // GDAL trusts the rounded header, which is at most half a millidegree off.
      const [west, , , north] = gridBounds(grid);
      expect(Math.abs(west - gdal_geotransform[0]!)).toBeLessThan(6e-4);
      expect(Math.abs(north - gdal_geotransform[3]!)).toBeLessThan(6e-4);
      for (const edge of gridBounds(grid)) expect(Number.isInteger(edge)).toBe(true);
    },
  );

  it("a Git LFS pointer is refused by name", () => {
    const pointer = files.find(({ readable: isReadable }) => isReadable === false)!;
    expect(() => readHeader(loadMessage(pointer.file))).toThrow(
      /this is a Git-LFS pointer, not the file itself/,
    );
  });
});
