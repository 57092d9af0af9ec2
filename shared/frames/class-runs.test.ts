// Rows read from deflated runs against the rows that were written: pictures as publication writes them, and others.
import { constants, deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILTER_CODES } from "../png/unfilter.ts";
import { readAllClassRuns, readClassRuns, visitClassRuns } from "./class-runs.ts";
import { readCell, type RunGrid } from "./index-grid.ts";
import { raiseFromPicture } from "./raise-picture.ts";

const seed = 20261122;

interface Picture {
  readonly widthPx: number;
  /** Rows of class indices; one that is the same array as the row before is written as a repetition. */
  readonly rows: readonly Uint8Array[];
}

/** Rows of runs and of noise, many of them repeated. */
const anyPicture: fc.Arbitrary<Picture> = fc.integer({ min: 1, max: 700 }).chain((widthPx) => {
  const run = fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 600 }));
  const noise = fc.uint8Array({ minLength: 1, maxLength: 40 });
  const row = fc.array(fc.oneof(run, noise), { minLength: 1, maxLength: 12 }).map((parts) => {
    const bytes = parts.flatMap((part) =>
      part instanceof Uint8Array ? [...part] : Array<number>(part[1]).fill(part[0]),
    );
    return Uint8Array.from({ length: widthPx }, (_, column) => bytes[column % bytes.length]!);
  });
  return fc
    .array(fc.tuple(row, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 12 })
    .map((parts) => ({
      widthPx,
      rows: parts.flatMap(([content, times]) => Array<Uint8Array>(times).fill(content)),
    }));
});

/** Returns the filtered scanlines as publication writes them. */
function toScanlines({ widthPx, rows }: Picture): Uint8Array {
  const scanlines = new Uint8Array(rows.length * (widthPx + 1));
  rows.forEach((row, index) => {
    const start = index * (widthPx + 1);
    if (row === rows[index - 1]) {
      scanlines[start] = FILTER_CODES.up;
      return;
    }
    scanlines[start] = FILTER_CODES.sub;
    row.forEach((value, column) => {
      scanlines[start + 1 + column] = value - (column === 0 ? 0 : row[column - 1]!);
    });
  });
  return scanlines;
}

function deflate(bytes: Uint8Array, options: { level?: number; strategy?: number } = {}): Uint8Array {
  return deflateSync(bytes, { strategy: constants.Z_RLE, memLevel: 9, ...options });
}

/** Returns the pixel rows that are not repetitions. */
function toFirstRows({ rows }: Picture): number[] {
  return rows.flatMap((row, index) => (row === rows[index - 1] ? [] : [index]));
}

function read(
  zlib: Uint8Array,
  picture: Picture,
  wanted: readonly number[] = toFirstRows(picture),
): RunGrid | undefined {
  const { widthPx, rows } = picture;
  return readClassRuns(zlib, { widthPx, heightPx: rows.length }, Int32Array.from(wanted));
}

function toRows(grid: RunGrid): Uint8Array[] {
  return Array.from({ length: grid.heightPx }, (_, row) =>
    Uint8Array.from({ length: grid.widthPx }, (_, column) => readCell(grid, row, column)),
  );
}

describe("rows of classes", () => {
  test.each([
    ["runs", {}],
    ["runs of the fixed code", { strategy: constants.Z_FIXED, level: 1 }],
    ["stored bytes", { level: 0 }],
    ["codes without runs", { strategy: constants.Z_HUFFMAN_ONLY }],
  ])("come back from %s", (_name, options) => {
    let readable = 0;
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const grid = read(deflate(toScanlines(picture), options), picture);
        // The fixed code may repeat more than the last byte.
        if (grid === undefined && "strategy" in options && options.strategy === constants.Z_FIXED) return;
        readable += 1;
        expect(toRows(grid!)).toEqual(toFirstRows(picture).map((row) => picture.rows[row]!));
      }),
      { seed, numRuns: 150 },
    );
    expect(readable).toBeGreaterThan(0);
  });

  test("raise the cells of a whole grid that they lie in, and no others", () => {
    fc.assert(
      fc.property(anyPicture, fc.nat(5), fc.nat(5), fc.nat(255), (picture, left, right, floor) => {
        const { widthPx, rows } = picture;
        const pixelRows = Int32Array.from(toFirstRows(picture));
        const columns = left + widthPx + right;
        const highest = new Uint8Array(columns * (pixelRows.length + 2)).fill(floor);
        const expected = highest.slice();
        pixelRows.forEach((pixelRow, cellRow) => {
          rows[pixelRow]!.forEach((value, column) => {
            const cell = (cellRow + 1) * columns + left + column;
            expected[cell] = Math.max(expected[cell]!, value);
          });
        });
        const target = { highest, firstCell: columns + left, columns, pixelRows, classes: 255 };
        const zlib = deflate(toScanlines(picture));
        expect(raiseFromPicture(zlib, { widthPx, heightPx: rows.length }, target)).toBe(true);
        expect(highest).toEqual(expected);
        expect(raiseFromPicture(zlib.subarray(0, 2), { widthPx, heightPx: rows.length }, target)).toBe(false);
      }),
      { seed, numRuns: 150 },
    );
  });

  test("raise no cell to an index beyond the class table", () => {
    const indices = Uint8Array.of(4, 9, 5, ...Array<number>(40).fill(6), 3);
    const widthPx = indices.length;
    const highest = new Uint8Array(widthPx);
    const target = { highest, firstCell: 0, columns: widthPx, pixelRows: Int32Array.of(0), classes: 5 };
    const zlib = deflate(toScanlines({ widthPx, rows: [indices] }));
    expect(raiseFromPicture(zlib, { widthPx, heightPx: 1 }, target)).toBe(true);
    expect(highest).toEqual(indices.map((index) => (index > 5 ? 0 : index)));
  });

  test("are only those asked for", () => {
    fc.assert(
      fc.property(anyPicture, fc.infiniteStream(fc.boolean()), (picture, choice) => {
        const choices = choice[Symbol.iterator]();
        const wanted = toFirstRows(picture).filter(() => choices.next().value === true);
        fc.pre(wanted.length > 0);
        const grid = read(deflate(toScanlines(picture)), picture, wanted);
        expect(toRows(grid!)).toEqual(wanted.map((row) => picture.rows[row]!));
      }),
      { seed, numRuns: 150 },
    );
  });

  test("are refused for repetitions of bytes or rows, other filters, and a picture that is too short", () => {
    const widthPx = 600;
    const row = Uint8Array.from({ length: widthPx }, (_, column) => (column * column) % 7);
    const picture = { widthPx, rows: [row, row.slice(), row.slice()] };
    const scanlines = toScanlines(picture);
    expect(read(deflate(scanlines), picture)).toBeDefined();
    expect(read(deflate(scanlines, { strategy: constants.Z_DEFAULT_STRATEGY }), picture)).toBeUndefined();
    const other = scanlines.slice();
    other[widthPx + 1] = FILTER_CODES.paeth;
    expect(read(deflate(other), picture)).toBeUndefined();
    const above = scanlines.slice();
    above[widthPx + 1] = FILTER_CODES.up;
    expect(read(deflate(above), picture)).toBeUndefined();
    expect(read(deflate(scanlines.subarray(0, 1000)), picture)).toBeUndefined();
  });

  test("of damaged bytes are rows or nothing, and never without end", () => {
    const widthPx = 300;
    const rows = Array.from({ length: 40 }, (_, row) =>
      Uint8Array.from({ length: widthPx }, (_, column) => (column * row) % 11),
    );
    const picture = { widthPx, rows };
    const zlib = deflate(toScanlines(picture));
    for (let length = 0; length < zlib.length; length += 7) {
      expect(read(zlib.subarray(0, length), picture)?.heightPx ?? 0).toBeLessThanOrEqual(40);
    }
    const flips = fc.record({ at: fc.nat(zlib.length - 1), bit: fc.nat(7) });
    fc.assert(
      fc.property(flips, ({ at, bit }) => {
        const flipped = zlib.slice();
        flipped[at]! ^= 1 << bit;
        const grid = read(flipped, picture);
        if (grid) expect(grid.ends.length).toBe(grid.values.length);
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe("all rows of a picture", () => {
  const readAll = (scanlines: Uint8Array, { widthPx, rows }: Picture): RunGrid | undefined =>
    readAllClassRuns(deflate(scanlines), { widthPx, heightPx: rows.length });

  test("come back with those that repeat the row above them", () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const grid = readAll(toScanlines(picture), picture)!;
        expect(grid.rowStarts).toHaveLength(picture.rows.length + 1);
        expect(toRows(grid)).toEqual(picture.rows);
      }),
      { seed, numRuns: 300 },
    );
  });

  test("are given one after another with the same runs, without a grid", () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const { widthPx, rows } = picture;
        const zlib = deflate(toScanlines(picture));
        const { rowStarts, ends, values } = readAll(toScanlines(picture), picture)!;
        let visited = 0;
        const isWhole = visitClassRuns(zlib, { widthPx, heightPx: rows.length }, (row, ...runs) => {
          expect(row).toBe(visited++);
          const [start, end] = [rowStarts[row]!, rowStarts[row + 1]!];
          expect(runs[2]).toBe(end - start);
          expect(runs[0].subarray(0, runs[2])).toEqual(ends.subarray(start, end));
          expect(runs[1].subarray(0, runs[2])).toEqual(values.subarray(start, end));
        });
        expect([isWhole, visited]).toEqual([true, rows.length]);
      }),
      { seed, numRuns: 150 },
    );
  });

  test("are for a general decoder where a row differs a little from the row above it, or is the first", () => {
    const row = new Uint8Array(600).fill(7);
    const picture: Picture = { widthPx: 600, rows: [row, row, row] };
    const scanlines = toScanlines(picture);
    expect(readAll(scanlines, picture)).toBeDefined();
    for (const column of [0, 1, 299, 599]) {
      const changed = scanlines.slice();
      changed[601 + 1 + column] = 1;
      expect(readAll(changed, picture)).toBeUndefined();
    }
    const first = scanlines.slice();
    first[0] = FILTER_CODES.up;
    expect(readAll(first, picture)).toBeUndefined();
  });
});
