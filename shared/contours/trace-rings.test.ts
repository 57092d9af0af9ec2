// Rings of planes of cells against plain loops over the cells.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toClassRuns, toRunsFrom, type ClassPlane } from "./cell-runs.ts";
import { findFaults, isInPolygon, isInside, signedDoubleArea } from "./support/check-polygons.ts";
import { traceRings, type CellPolygon } from "./trace-rings.ts";

const seed = 20261123;
const most = 3;

/** Planes from sparse to full, whose block is all of them or a part. */
const anyPlane: fc.Arbitrary<ClassPlane> = fc
  .record({
    columns: fc.integer({ min: 1, max: 23 }),
    rows: fc.integer({ min: 1, max: 17 }),
    margin: fc.integer({ min: 0, max: 2 }),
    empty: fc.integer({ min: 0, max: 9 }),
  })
  .chain(({ columns, rows, margin, empty }) => {
    const length = columns * rows;
    const block = {
      rowStart: Math.min(margin, rows - 1),
      rowEnd: rows,
      columnStart: Math.min(margin, columns - 1),
      columnEnd: columns,
    };
    const cell = fc.oneof(
      { weight: empty, arbitrary: fc.constant(0) },
      { weight: 5, arbitrary: fc.integer({ min: 1, max: most + 1 }) },
    );
    return fc
      .array(cell, { minLength: length, maxLength: length })
      .map((indices) => ({ columns, block, indices: Uint8Array.from(indices) }));
  });

function trace(plane: ClassPlane, least = 1): CellPolygon[] {
  return traceRings(toRunsFrom(toClassRuns(plane, most), least));
}

/** Returns a plane of rows of `#` and `.`. */
function draw(...rows: readonly string[]): ClassPlane {
  const columns = rows[0]!.length;
  const indices = Uint8Array.from(rows.join(""), (letter) => (letter === "#" ? 1 : 0));
  return {
    columns,
    indices,
    block: { rowStart: 0, rowEnd: rows.length, columnStart: 0, columnEnd: columns },
  };
}

function reaches(
  { block, columns, indices }: ClassPlane,
  row: number,
  column: number,
  least: number,
): boolean {
  if (row < block.rowStart || column < block.columnStart) return false;
  const index = indices[row * columns + column]!;
  return index >= least && index <= most;
}

describe("the rings of any plane", () => {
  test("hold exactly the cells of at least the class, and their area", () => {
    fc.assert(
      fc.property(anyPlane, fc.integer({ min: 1, max: most }), (plane, least) => {
        const polygons = trace(plane, least);
        let cells = 0;
        for (let row = 0; row < plane.block.rowEnd; row++) {
          for (let column = 0; column < plane.columns; column++) {
            const isReached = reaches(plane, row, column, least);
            if (isReached) cells += 1;
            const holders = polygons.filter((polygon) => isInPolygon(polygon, [column + 0.5, -row - 0.5]));
            expect(holders).toHaveLength(isReached ? 1 : 0);
          }
        }
        const rings = polygons.flatMap(({ shell, holes }) => [shell, ...holes]);
        expect(rings.reduce((sum, ring) => sum + signedDoubleArea(ring), 0)).toBe(2 * cells);
      }),
      { seed, numRuns: 400 },
    );
  });

  test("are valid: simple, closed along other edges each, holes in their shell, right orientation", () => {
    fc.assert(
      fc.property(anyPlane, fc.integer({ min: 1, max: most }), (plane, least) => {
        expect(findFaults(trace(plane, least))).toEqual([]);
      }),
      { seed, numRuns: 400 },
    );
  });

  test("of a higher class lie inside those of a lower one", () => {
    fc.assert(
      fc.property(anyPlane, (plane) => {
        const lower = trace(plane, 1);
        for (const { shell } of trace(plane, 2)) {
          const [x, y] = [shell[0]! + 0.5, -shell[1]! - 0.5];
          const inner = isInside(shell, [x, y]) ? ([x, y] as const) : ([x - 1, y] as const);
          expect(lower.some((polygon) => isInPolygon(polygon, inner))).toBe(true);
        }
      }),
      { seed, numRuns: 100 },
    );
  });
});

describe("cells that touch at a corner", () => {
  test("are two polygons", () => {
    expect(trace(draw("#.", ".#"))).toHaveLength(2);
    expect(trace(draw(".#", "#."))).toHaveLength(2);
  });

  test("and are joined elsewhere have a hole that touches the shell in one point", () => {
    const polygons = trace(draw("##.", "#.#", "###"));
    expect(polygons).toHaveLength(1);
    expect(polygons[0]!.holes).toHaveLength(1);
    expect(findFaults(polygons)).toEqual([]);
  });

  test("leave two holes where the holes touch", () => {
    const polygons = trace(draw("####", "#.##", "##.#", "####"));
    expect(polygons.map(({ holes }) => holes.length)).toEqual([2]);
  });
});

test("a storm in the eye of another is a polygon of its own", () => {
  const polygons = trace(draw("#####", "#...#", "#.#.#", "#...#", "#####"));
  expect(polygons.map(({ holes }) => holes.length)).toEqual([1, 0]);
});

test("a plane without a class has no rings", () => {
  expect(trace(draw("...", "..."))).toEqual([]);
});
