// Exact conversion of codes to classes: edges in the file's scale, flags, coverage bits, and the box of drawn cells.
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FrameCoverage } from "../../../shared/contract/frame-metadata.ts";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import { mesh } from "../../../shared/products/mesh.ts";
import { classEdges } from "../../../shared/products/product.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import type { Codes } from "../grib2/field.ts";
import { createClassifier, findClassIndex } from "./classifier.ts";
import { createClassPlaneBuilder } from "./class-plane.ts";
import type { ClassPlane } from "./class-plane.ts";
import { toLeastCode } from "./classifier.ts";

const seed = 28;
/** Tenths from -3 up, as MRMS packs MESH. */
const tenths = { reference: -30, binaryScale: 0, decimalScale: 1 };

function toGrid(columns: number, rows: number, spacingUdeg = 10_000): LatLonGrid {
  return {
    columns,
    rows,
    westUdeg: -98_000_000,
    northUdeg: 41_000_000,
    spacingXUdeg: spacingUdeg,
    spacingYUdeg: spacingUdeg,
  };
}

function classifyAll(grid: LatLonGrid, codes: Codes, missing?: Uint8Array): ClassPlane {
  const cells = grid.columns * grid.rows;
  const builder = createClassPlaneBuilder(grid, createClassifier(mesh, tenths), new Uint8Array(cells));
  for (let row = 0; row < grid.rows; row++) {
    const at = row * grid.columns;
    builder.addRow(row, codes.subarray(at, at + grid.columns), missing?.subarray(at, at + grid.columns));
  }
  return builder.finish();
}

/** Class indices, decoded from the differences in a plane. */
function toClasses({ differences }: ClassPlane, columns: number): number[] {
  let left = 0;
  return Array.from(differences, (difference, cell) => {
    left = (cell % columns === 0 ? 0 : left) + difference;
    return (left &= 0xff);
  });
}

function toBits(coverage: FrameCoverage): number[] {
  const bytes = inflateSync(Buffer.from(coverage.bits, "base64"));
  return Array.from(
    { length: coverage.width * coverage.height },
    (_, bit) => (bytes[bit >>> 3]! >> (7 - (bit & 7))) & 1,
  );
}

describe("the lowest code of an edge", () => {
  it("is exact: 25.4 mm is one inch in each scale of the file", () => {
    const inch = { numerator: 2_540_000, denominator: 100_000 };
    expect(toLeastCode(inch, tenths)).toBe(284);
    expect(toLeastCode(inch, { reference: 0, binaryScale: 0, decimalScale: 2 })).toBe(2540);
    // 25.4 lies between two codes, because 32-bit floats cannot hold the tenth exactly.
    expect(toLeastCode(inch, { reference: 0, binaryScale: -3, decimalScale: 0 })).toBe(204);
    expect(toLeastCode(inch, { reference: 0, binaryScale: 1, decimalScale: 1 })).toBe(127);
    expect(toLeastCode(inch, { reference: 2.5, binaryScale: 0, decimalScale: -1 })).toBe(1);
    expect(toLeastCode(inch, { reference: 254, binaryScale: 0, decimalScale: 1 })).toBe(0);
  });

  it("is 2^32 if no code reaches the edge", () => {
    expect(
      toLeastCode({ numerator: 1, denominator: 1 }, { reference: 0, binaryScale: -127, decimalScale: 0 }),
    ).toBe(2 ** 32);
    expect(
      toLeastCode(
        { numerator: 5, denominator: 1 },
        { reference: -(2 ** 127), binaryScale: 0, decimalScale: 0 },
      ),
    ).toBe(2 ** 32);
  });

  it("separates codes below the edge from codes at or above it", () => {
    const edges = fc.record({
      numerator: fc.integer({ min: -20_000, max: 20_000 }),
      denominator: fc.integer({ min: 1, max: 3200 }),
    });
    // Scales are small, so that 64-bit arithmetic is exact, too.
    const scalings = fc.record({
      reference: fc.integer({ min: -4000, max: 4000 }).map((quarter) => quarter / 4),
      binaryScale: fc.integer({ min: -4, max: 4 }),
      decimalScale: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(edges, scalings, (edge, scaling) => {
        const code = toLeastCode(edge, scaling);
        const isAtOrAbove = (candidate: number): boolean =>
          (scaling.reference + candidate * 2 ** scaling.binaryScale) * edge.denominator >=
          edge.numerator * 10 ** scaling.decimalScale;
        expect(isAtOrAbove(code)).toBe(true);
        if (code > 0) expect(isAtOrAbove(code - 1)).toBe(false);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe("a classifier", () => {
  it("puts each tenth of a millimeter into the class between its edges", () => {
    const edges = classEdges(mesh);
    const classifier = createClassifier(mesh, tenths);
    const wrong: number[] = [];
    for (let code = 0; code < 4000; code++) {
      const hundredThousandths = (code - 30) * 10_000;
      const expected = mesh.edgeUnits.filter((edge) => edge <= hundredThousandths).length;
      if (classifier.table[code] !== expected || findClassIndex(classifier, code) !== expected)
        wrong.push(code);
    }
    expect(wrong).toEqual([]);
    expect(edges[classifier.table[284]! - 1]).toBe(25.4);
    expect(classifier.table[283]).toBe(classifier.table[284]! - 1);
  });

  it("draws no flags, and separates them by coverage", () => {
    const hail = createClassifier(mesh, tenths);
    expect([hail.table[0], hail.table[20], hail.leastCovered]).toEqual([0, 0, 20]);
    const echo = createClassifier(reflectivity, { reference: -9990, binaryScale: 0, decimalScale: 1 });
    expect([echo.table[0], echo.table[9000], echo.leastCovered]).toEqual([0, 0, 9000]);
    expect([echo.table[9990 + 49], echo.table[9990 + 50], echo.table[9990 + 55]]).toEqual([0, 1, 2]);
  });

  it("accepts codes of more than 16 bits", () => {
    const classifier = createClassifier(reflectivity, { reference: -999, binaryScale: -10, decimalScale: 0 });
    const toCode = (dbz: number): number => (dbz + 999) * 1024;
    expect(findClassIndex(classifier, toCode(4.9990234375))).toBe(0);
    expect(findClassIndex(classifier, toCode(5))).toBe(1);
    expect(findClassIndex(classifier, toCode(95))).toBe(reflectivity.edgeUnits.length);
  });
});

describe("a class plane", () => {
  it("has the class of each cell for codes of any width", () => {
    const codes = fc.array(
      fc.tuple(fc.constantFrom(0, 20, 29, 62, 100, 250), fc.integer({ min: 1, max: 60 })),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(codes, fc.integer({ min: 1, max: 70 }), fc.nat({ max: 3 }), (runs, columns, shift) => {
        const list = runs.flatMap(([code, length]) => Array<number>(length).fill(code));
        const rows = Math.ceil(list.length / columns);
        const cells = Array.from({ length: rows * columns }, (_, cell) => list[cell] ?? 0);
        const { table } = createClassifier(mesh, tenths);
        const expected = cells.map((code) => table[code]!);
        for (const make of [Uint8Array, Uint16Array, Uint32Array]) {
          // Includes rows that do not begin on a whole word.
          const packed = new make(cells.length + shift).subarray(shift);
          packed.set(cells);
          const plane = classifyAll(toGrid(columns, rows), packed);
          expect(toClasses(plane, columns)).toEqual(expected);
          expect(plane.drawnCells).toBe(expected.filter((index) => index > 0).length);
          expect(plane.maxClass).toBe(Math.max(...expected));
          const drawn = expected.flatMap((index, cell) => (index > 0 ? [cell] : []));
          expect(plane.drawnBlock).toEqual(
            drawn.length === 0
              ? undefined
              : {
                  rowStart: Math.min(...drawn.map((cell) => Math.floor(cell / columns))),
                  rowEnd: Math.max(...drawn.map((cell) => Math.floor(cell / columns))) + 1,
                  columnStart: Math.min(...drawn.map((cell) => cell % columns)),
                  columnEnd: Math.max(...drawn.map((cell) => cell % columns)) + 1,
                },
          );
        }
      }),
      { seed, numRuns: 100 },
    );
  });

  it("has neither class nor coverage in cells without a value", () => {
    const codes = new Uint8Array(100).fill(250);
    const missing = new Uint8Array(100).fill(1, 10, 90);
    const plane = classifyAll(toGrid(10, 10), codes, missing);
    expect(plane.drawnCells).toBe(20);
    expect(toClasses(plane, 10).map((index) => index > 0)).toEqual(Array.from(missing, (flag) => flag === 0));
    expect(toBits(plane.coverage)).toEqual([0]);
  });
});

describe("coverage", () => {
  it("is 1 if at least half of the grid cells in a cell of 0.1 degrees are covered", () => {
    const codes = new Uint8Array(20 * 10).fill(20);
    // The left cell has 50 of 100 covered cells, the right one 49.
    for (let row = 0; row < 10; row++) {
      codes.fill(0, row * 20, row * 20 + 5);
      codes.fill(0, row * 20 + 15, row * 20 + 20);
    }
    codes[19 * 5] = 0;
    codes[14] = 0;
    expect(toBits(classifyAll(toGrid(20, 10), codes).coverage)).toEqual([1, 0]);
  });

  it("has bits row by row from the northwest, and bounds in whole tenths of a degree for any grid", () => {
    const codes = new Uint8Array(25 * 12);
    codes.fill(20, 0, 25);
    codes.fill(20, 10 * 25, 12 * 25);
    const { coverage } = classifyAll(toGrid(25, 12), codes);
    expect(coverage).toMatchObject({ width: 3, height: 2, bounds: [-98, 40.8, -97.7, 41] });
    expect(toBits(coverage)).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it("counts grid cells of any size, finer or coarser than its own", () => {
    for (const spacing of [5000, 7000, 30_000, 100_000, 250_000]) {
      const grid = toGrid(23, 17, spacing);
      const codes = Uint8Array.from({ length: 23 * 17 }, (_, cell) => ((cell * 7919) % 23 < 11 ? 20 : 0));
      const { coverage } = classifyAll(grid, codes);
      expect([coverage.width, coverage.height]).toEqual([
        Math.ceil((23 * spacing) / 1e5),
        Math.ceil((17 * spacing) / 1e5),
      ]);
      expect(toBits(coverage)).toEqual(toExpectedBits(grid, codes, coverage));
    }
  });

  /** Applies the definition cell by cell: grid centers inside the cell, or else the grid cell under its center. */
  function toExpectedBits(grid: LatLonGrid, codes: Uint8Array, { width, height }: FrameCoverage): number[] {
    const size = 100_000;
    const centersIn = (index: number, count: number, spacing: number): number[] => {
      const inside = Array.from({ length: count }, (_, cell) => cell).filter(
        (cell) => Math.floor(((cell + 0.5) * spacing) / size) === index,
      );
      return inside.length > 0 ? inside : [Math.min(count - 1, Math.floor(((index + 0.5) * size) / spacing))];
    };
    return Array.from({ length: width * height }, (_, bit) => {
      const rows = centersIn(Math.floor(bit / width), grid.rows, grid.spacingYUdeg);
      const columns = centersIn(bit % width, grid.columns, grid.spacingXUdeg);
      const covered = rows.flatMap((row) =>
        columns.filter((column) => codes[row * grid.columns + column]! >= 20),
      );
      return 2 * covered.length >= rows.length * columns.length ? 1 : 0;
    });
  }
});
