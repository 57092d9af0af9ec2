// The core against naive loops over planes of cells: grids of any shape, crops, coverage, frames that draw nothing.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bounds } from "../contract/primitives.ts";
import { gridBounds, type LatLonGrid } from "../geo/grid.ts";
import {
  blockWithin,
  cellCenter,
  toCellFrame,
  toCellGround,
  toClassRange,
  type CellFrame,
} from "./cell-frame.ts";
import { measureDifference } from "./difference.ts";
import { readPlace } from "./place-reading.ts";
import { whyIncomparable } from "./same-ground.ts";
import { toClassFrame, type CellPlane } from "./support/cell-plane.ts";
import { SwathBuilder, toSwathClasses } from "./swath.ts";

const seed = 20261122;

const anyGrid: fc.Arbitrary<LatLonGrid> = fc.record({
  columns: fc.integer({ min: 1, max: 24 }),
  rows: fc.integer({ min: 1, max: 40 }),
  westUdeg: fc.constantFrom(-130_000_000, -98_005_000, 12_345),
  northUdeg: fc.constantFrom(55_000_000, 36_005_000, 1_000_000, -20_000_000),
  spacingXUdeg: fc.constantFrom(10_000, 5000, 8333),
  spacingYUdeg: fc.constantFrom(10_000, 5000, 20_000, 8333),
});

/** Planes of one grid, from empty to full, some noisy enough to be held as plain bytes. */
function anyPlanes(least: number, most: number): fc.Arbitrary<CellPlane[]> {
  return anyGrid.chain((grid) => {
    const length = grid.columns * grid.rows;
    const plane = fc
      .record({
        highest: fc.integer({ min: 0, max: 140 }),
        indices: fc.uint8Array({ minLength: length, maxLength: length, max: 140 }),
        covered: fc.array(fc.boolean(), { minLength: length, maxLength: length }),
      })
      .map(({ highest, indices, covered }) => ({
        grid,
        indices: indices.map((index) => (index > highest ? 0 : index)),
        covered,
      }));
    return fc.array(plane, { minLength: least, maxLength: most });
  });
}

function toCells(plane: CellPlane): CellFrame {
  return toCellFrame(toClassFrame(plane))!;
}

function covers({ indices, covered }: CellPlane, cell: number): boolean {
  return indices[cell]! > 0 || covered[cell]!;
}

describe("cells of a frame", () => {
  test("are found again from the picture, whatever the shape of the cells", () => {
    fc.assert(
      fc.property(anyPlanes(1, 1), ([plane]) => {
        const { grid, indices } = plane!;
        const frame = toCells(plane!);
        fc.pre(frame.cells !== undefined);
        expect(frame.cells).toEqual(grid);
        for (let row = 0; row < grid.rows; row++) {
          for (let column = 0; column < grid.columns; column++) {
            const reading = readPlace(frame, cellCenter(grid, row, column));
            const cell = row * grid.columns + column;
            const range = toClassRange(frame.classes, indices[cell]!);
            const nothing = plane!.covered[cell] ? { kind: "below" } : { kind: "outside-coverage" };
            expect(reading).toEqual(range ? { kind: "class", index: indices[cell], range } : nothing);
          }
        }
      }),
      { seed, numRuns: 60 },
    );
  });

  test("are not searched for in a picture of more rows than any grid has", () => {
    const bounds: Bounds = [0, 0, 0.000_001, 85];
    const coverage = { bounds, width: 1, height: 1, bits: Uint8Array.of(0) };
    expect(toCellGround({ bounds, widthPx: 1, heightPx: 140_000_000 }, coverage)).toBeUndefined();
  });

  test("outside the grid are outside coverage", () => {
    const grid = {
      columns: 2,
      rows: 2,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const frame = toCells({ grid, indices: Uint8Array.of(1, 1, 1, 1), covered: [true, true, true, true] });
    expect(readPlace(frame, [0.03, -0.01])).toEqual({ kind: "outside-coverage" });
    expect(readPlace(frame, [0.01, -0.01])).toMatchObject({ kind: "class", index: 1 });
  });
});

describe("a picture", () => {
  const coverage = { bounds: [-98, 35, -97, 36] as Bounds, width: 10, height: 10, bits: new Uint8Array(13) };
  const picture = { bounds: [-97.5, 35.5, -97.4, 35.6] as Bounds, widthPx: 10, heightPx: 11 };

  test("is located in the grid of its coverage", () => {
    const { block } = toCellGround(picture, coverage)!;
    expect(block).toEqual({ rowStart: 40, rowEnd: 50, columnStart: 50, columnEnd: 60 });
  });

  test.each<[string, Bounds, Bounds]>([
    ["lies between the cells", [-97.504, 35.5, -97.404, 35.6], coverage.bounds],
    ["lies outside the grid", [-98.1, 35.5, -98, 35.6], coverage.bounds],
    ["has its south above its north", [-97.5, 35.6, -97.4, 35.5], coverage.bounds],
    ["has no width", [-97.5, 35.5, -97.5, 35.6], coverage.bounds],
    ["is of a grid too large to hold", [-97.5, 35.5, -97.49999, 35.50001], [-180, -90, 180, 90]],
  ])("that %s has no cells", (_why, bounds, whole) => {
    for (const heightPx of [10, 11, 12, 13])
      expect(toCellGround({ ...picture, bounds, heightPx }, { ...coverage, bounds: whole })).toBeUndefined();
  });
});

describe("the difference of two frames", () => {
  test("equals a loop over the cells", () => {
    fc.assert(
      fc.property(anyPlanes(2, 2), ([before, after]) => {
        const [first, second] = [toCells(before!), toCells(after!)];
        expect(whyIncomparable(first, second)).toBeUndefined();
        expect(measureDifference(first, second)).toEqual(loopOver(before!, after!));
      }),
      { seed, numRuns: 300 },
    );
  });

  test("counts only the cells whose centers are in view", () => {
    fc.assert(
      fc.property(anyPlanes(2, 2), fc.nat(), fc.nat(), ([before, after], row, column) => {
        const { grid } = before!;
        const lon = (grid.westUdeg + (column % grid.columns) * grid.spacingXUdeg) / 1e6;
        const lat = (grid.northUdeg - (row % grid.rows) * grid.spacingYUdeg) / 1e6;
        const [west, , , north] = gridBounds(grid);
        const within = [west, lat, lon, north] as const;
        const inView = (cell: number): boolean =>
          Math.floor(cell / grid.columns) < row % grid.rows && cell % grid.columns < column % grid.columns;
        const { cells } = measureDifference(toCells(before!), toCells(after!), { within: [...within] });
        expect(cells).toEqual(loopOver(before!, after!, inView).cells);
        expect(blockWithin(grid, [...within])).toMatchObject({ rowEnd: row % grid.rows });
      }),
      { seed, numRuns: 100 },
    );
  });

  test("leaves changes below the threshold among the kept", () => {
    const grid = {
      columns: 3,
      rows: 1,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const covered = [true, true, true];
    const before = toCells({ grid, indices: Uint8Array.of(10, 10, 10), covered });
    const after = toCells({ grid, indices: Uint8Array.of(14, 15, 5), covered });
    const { cells, kept, biggestRise } = measureDifference(before, after, { threshold: 2.5 });
    expect(cells).toEqual({ up: 1, down: 1, appeared: 0, vanished: 0 });
    expect(kept).toBe(1);
    expect(biggestRise).toEqual({
      classes: 5,
      from: { lower: 9.5, upper: 10 },
      to: { lower: 12, upper: 12.5 },
      coordinate: [0.015, -0.005],
    });
  });

  test("takes an index beyond the class table as no class, like a reading and a swath", () => {
    const grid = {
      columns: 4,
      rows: 1,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const covered = [true, true, true, true];
    const before = toCells({ grid, indices: Uint8Array.of(3, 5, 0, 7), covered });
    const after = toCells({ grid, indices: Uint8Array.of(3, 255, 255, 7), covered });
    const { cells, biggestRise } = measureDifference(before, after);
    expect(cells).toEqual({ up: 0, down: 0, appeared: 0, vanished: 1 });
    expect(biggestRise).toBeUndefined();
    expect(readPlace(after, [0.015, -0.005])).toEqual({ kind: "below" });
    const builder = new SwathBuilder();
    builder.add(before);
    builder.add(after);
    expect([...builder.toSwath()!.highest]).toEqual([3, 5, 0, 7]);
  });

  test("is refused, with the reason, for frames on other ground", () => {
    const grid = {
      columns: 2,
      rows: 2,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const plane = { grid, indices: Uint8Array.of(1, 2, 3, 4), covered: [true, true, true, true] };
    const frame = toCells(plane);
    const moved = toCells({ ...plane, grid: { ...grid, westUdeg: 10_000 } });
    expect(whyIncomparable(frame, moved)).toMatch(/different grids/);
    const fine = { ...frame, cells: { ...grid, spacingXUdeg: 5000 } };
    expect(whyIncomparable(frame, fine)).toMatch(/different sizes/);
    const other = { ...frame, classes: { ...frame.classes, edges: [1, 2, 3] } };
    expect(whyIncomparable(frame, other)).toMatch(/different classes/);
  });
});

/** The definition, cell by cell. */
function loopOver(
  before: CellPlane,
  after: CellPlane,
  inView: (cell: number) => boolean = () => true,
): ReturnType<typeof measureDifference> {
  const cells = { up: 0, down: 0, appeared: 0, vanished: 0 };
  let kept = 0;
  let uncovered = 0;
  let best = { classes: 0, cell: -1 };
  for (let cell = 0; cell < before.indices.length; cell++) {
    if (!inView(cell)) continue;
    const [from, to] = [before.indices[cell]!, after.indices[cell]!];
    if (from === 0 && to === 0) continue;
    if (!covers(before, cell) || !covers(after, cell)) {
      uncovered++;
      continue;
    }
    if (from === to) kept++;
    else if (from === 0) cells.appeared++;
    else if (to === 0) cells.vanished++;
    else if (to > from) cells.up++;
    else cells.down++;
    if (to - from > best.classes) best = { classes: to - from, cell };
  }
  const { classes } = toCells(before);
  const { grid } = before;
  const biggestRise =
    best.cell < 0
      ? undefined
      : {
          classes: best.classes,
          from: toClassRange(classes, before.indices[best.cell]!),
          to: toClassRange(classes, after.indices[best.cell]!)!,
          coordinate: cellCenter(grid, Math.floor(best.cell / grid.columns), best.cell % grid.columns),
        };
  return { cells, kept, uncovered, biggestRise };
}

describe("a swath", () => {
  test("has the highest class of each cell, and covers what any frame covers", () => {
    fc.assert(
      fc.property(anyPlanes(1, 5), (planes) => {
        const builder = new SwathBuilder();
        for (const plane of planes) builder.add(toCells(plane));
        const swath = builder.toSwath()!;
        expect(builder.isUsed).toEqual(planes.map(() => true));
        const highest = planes[0]!.indices.map((_, cell) =>
          Math.max(...planes.map(({ indices }) => indices[cell]!)),
        );
        const counts = new Map<number, number>();
        for (const index of highest) if (index > 0) counts.set(index, (counts.get(index) ?? 0) + 1);
        const edges = [...counts]
          .sort(([a], [b]) => a - b)
          .map(([index, n]) => [swath.classes.edges[index - 1], n]);
        expect(toSwathClasses(swath).map(({ lower, cells }) => [lower, cells])).toEqual(edges);
        if (swath.cells) expect([...swath.highest]).toEqual([...highest]);
        const covered = planes[0]!.covered.map((_, cell) => planes.some((plane) => plane.covered[cell]));
        const bits = covered.map((_, cell) => (swath.coverage.bits[cell >> 3]! & (0x80 >> (cell & 7))) !== 0);
        expect(bits).toEqual(covered);
      }),
      { seed, numRuns: 200 },
    );
  });

  test("has the area of its cells on the earth", () => {
    const grid = {
      columns: 2,
      rows: 2,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 1_000_000,
      spacingYUdeg: 1_000_000,
    };
    const builder = new SwathBuilder();
    builder.add(toCells({ grid, indices: Uint8Array.of(1, 1, 0, 2), covered: [true, true, true, true] }));
    const [first, second] = toSwathClasses(builder.toSwath()!);
    // A degree is 111.2 km at the equator.
    expect(first).toMatchObject({ lower: 5, cells: 2 });
    expect(first!.km2 / 2).toBeCloseTo(111.195 ** 2, -2);
    expect(second!.km2 / (first!.km2 / 2)).toBeCloseTo(Math.cos((1.5 * Math.PI) / 180), 3);
  });

  test("never falls when a window is added", () => {
    fc.assert(
      fc.property(anyPlanes(2, 6), fc.nat(), (planes, left) => {
        const all = new SwathBuilder();
        const fewer = new SwathBuilder();
        planes.forEach((plane, index) => {
          all.add(toCells(plane));
          if (index !== left % planes.length) fewer.add(toCells(plane));
        });
        const more = all.toSwath()!.highest;
        fewer.toSwath()!.highest.forEach((index, cell) => {
          expect(more[cell]).toBeGreaterThanOrEqual(index);
        });
      }),
      { seed, numRuns: 100 },
    );
  });

  test("leaves out frames on another grid than the earliest that draws", () => {
    const grid = {
      columns: 2,
      rows: 1,
      westUdeg: 0,
      northUdeg: 0,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const other = { ...grid, westUdeg: 20_000 };
    const covered = [true, true];
    const builder = new SwathBuilder();
    builder.add(toCells({ grid: other, indices: Uint8Array.of(0, 0), covered }));
    builder.add(toCells({ grid, indices: Uint8Array.of(0, 0), covered }));
    builder.add(toCells({ grid, indices: Uint8Array.of(3, 0), covered }));
    builder.add(toCells({ grid: other, indices: Uint8Array.of(9, 9), covered }));
    expect(builder.isUsed).toEqual([false, true, true, false]);
    expect([...builder.toSwath()!.highest]).toEqual([3, 0]);
  });
});
