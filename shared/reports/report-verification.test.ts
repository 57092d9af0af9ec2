// Reports against frames: compared with loops over every cell and another formula of distance, and at each edge of the
// rules.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellCenter, toCellFrame, type CellFrame } from "../analysis/cell-frame.ts";
import { toClassFrame, type CellPlane } from "../analysis/support/cell-plane.ts";
import type { Coordinate } from "../contract/primitives.ts";
import type { LatLonGrid } from "../geo/grid.ts";
import { reachesKm, readAround, reportDistanceKm } from "./around-reading.ts";
import { reportColumns, toReportCells, toReportLine } from "./report-lines.ts";
import { ReportVerification, toFrameTasks, toTotals, type EstimateFrame } from "./report-verification.ts";
import type { StormReport } from "./storm-report.ts";

const gridAt = (westUdeg: number, northUdeg: number): LatLonGrid => ({
  ...{ columns: 40, rows: 36, westUdeg, northUdeg, spacingXUdeg: 20_000, spacingYUdeg: 20_000 },
});
const plains = gridAt(-98_000_000, 35_500_000);
const middle = cellCenter(plains, 18, 20);

/** Sizes in millimeters instead of reflectivity, so that a class of the plane is one of hail. */
const edges = [3.175, 12.7, 24.60625, 25.4, 31.75, 50.8];

interface Drawn {
  readonly grid?: LatLonGrid;
  /** Class index of a cell, 0 for none. */
  readonly indexOf: (row: number, column: number) => number;
  readonly coverage?: (row: number, column: number) => boolean;
}

function toFrame({ grid = plains, indexOf, coverage = () => true }: Drawn): CellFrame {
  const cells = Array.from({ length: grid.rows * grid.columns }, (_, cell) => cell);
  const at = (cell: number): [number, number] => [Math.floor(cell / grid.columns), cell % grid.columns];
  const plane: CellPlane = {
    grid,
    indices: Uint8Array.from(cells, (cell) => indexOf(...at(cell))),
    covered: cells.map((cell) => coverage(...at(cell))),
  };
  const frame = toClassFrame(plane);
  return toCellFrame({ ...frame, classes: { ...frame.classes, edges } })!;
}

/** The central angle by vectors, not by haversines. */
function vectorDistanceKm(from: Coordinate, to: Coordinate): number {
  const toVector = ([lon, lat]: Coordinate): number[] => {
    const [a, b] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)];
  };
  const [[a, b, c], [x, y, z]] = [
    toVector(from) as [number, number, number],
    toVector(to) as [number, number, number],
  ];
  const cross = Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x);
  return 6371 * Math.atan2(cross, a * x + b * y + c * z);
}

const startMs = Date.UTC(2024, 4, 20, 21, 0, 0);
const at = (minutes: number): string => new Date(startMs + minutes * 60_000).toISOString();
const report = (coordinate: Coordinate, sizeMm?: number): StormReport => ({
  ...{ kind: "hail", atMs: startMs, coordinate, sizeMm },
});

interface Observed extends EstimateFrame {
  readonly cells: CellFrame;
}

function verify(reports: readonly StormReport[], frames: readonly Observed[]) {
  const verification = new ReportVerification(reports);
  for (const task of toFrameTasks(reports, frames)) {
    verification.add(
      task,
      task.reports.map((index) => readAround(task.frame.cells, reports[index]!)),
    );
  }
  return verification.finish();
}

/** A frame with one cell of a class, everywhere else nothing. */
const oneCell =
  (index: number, row = 18, column = 20): Drawn["indexOf"] =>
  (r, c) =>
    r === row && c === column ? index : 0;
const frame = (minutes: number, drawn: Drawn, sequence = 1): Observed => ({
  observedAt: at(minutes),
  sequence,
  cells: toFrame(drawn),
});

describe("the cells around a place", () => {
  test("are the nearest ones of the largest class within each distance, as loops over all cells find them", () => {
    const anywhere = fc.record({
      seed: fc.integer(),
      density: fc.integer({ min: 0, max: 100 }),
      grid: fc.constantFrom(plains, gridAt(170_000_000, 71_000_000), gridAt(-60_000_000, 400_000)),
      east: fc.integer({ min: -300_000, max: 1_100_000 }),
      south: fc.integer({ min: -300_000, max: 1_020_000 }),
      sizeMm: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anywhere, ({ seed, density, grid, east, south, sizeMm }) => {
        const hash = (row: number, column: number): number =>
          ((Math.imul(row * 73_856_093 + column * 19_349_663 + seed, 2_654_435_761) >>> 8) % 700) / 7;
        const indexOf = (row: number, column: number): number =>
          hash(row, column) < density ? 1 + (Math.floor(hash(column, row)) % edges.length) : 0;
        const place: Coordinate = [(grid.westUdeg + east) / 1e6, (grid.northUdeg - south) / 1e6];
        const read = readAround(toFrame({ grid, indexOf }), { coordinate: place, sizeMm });
        const all = Array.from({ length: grid.rows * grid.columns }, (_, cell) => {
          const [row, column] = [Math.floor(cell / grid.columns), cell % grid.columns];
          return { index: indexOf(row, column), km: vectorDistanceKm(place, cellCenter(grid, row, column)) };
        }).filter(({ index }) => index > 0);
        reachesKm.forEach((reach, ring) => {
          const within = all.filter(({ km }) => km <= reach);
          const index = Math.max(0, ...within.map((cell) => cell.index));
          const km = Math.min(...within.filter((cell) => cell.index === index).map((cell) => cell.km));
          const found = read.largest[ring];
          expect(found?.range.lower).toBe(edges[index - 1]);
          if (found) expect(found.distanceKm).toBeCloseTo(km, 6);
          if (found) expect(reportDistanceKm(place, found.center)).toBe(found.distanceKm);
        });
        const reaching = all.filter(
          ({ index, km }) => km <= 20 && (edges[index] ?? Infinity) > (sizeMm ?? Infinity),
        );
        const nearest = Math.min(...reaching.map(({ km }) => km));
        if (reaching.length === 0) expect(read.ofSize).toBeUndefined();
        else expect(read.ofSize!.distanceKm).toBeCloseTo(nearest, 6);
      }),
      { seed: 5, numRuns: 150 },
    );
  });

  test("count at the edge of a distance, and at the edge of the picture", () => {
    const north = (km: number): Coordinate => [middle[0], middle[1] + (km / 6371 / Math.PI) * 180];
    const lone = toFrame({ indexOf: oneCell(4) });
    const within = (km: number): boolean[] =>
      readAround(lone, { coordinate: north(km) }).largest.map((found) => found !== undefined);
    expect(within(20)).toEqual([false, false, true]);
    expect(within(20.0001)).toEqual([false, false, false]);
    expect(within(5)).toEqual([true, true, true]);
    expect(within(10.0001)).toEqual([false, false, true]);
    const corner = toFrame({ indexOf: oneCell(4, 0, 0) });
    expect(readAround(corner, { coordinate: cellCenter(plains, -3, -3) }).largest[1]?.distanceKm).toBeCloseTo(
      vectorDistanceKm(cellCenter(plains, -3, -3), cellCenter(plains, 0, 0)),
      6,
    );
  });

  test("are found beside a pole", () => {
    const grid = gridAt(0, 90_000_000);
    const polar = toFrame({ grid, indexOf: oneCell(5, 0, 39) });
    const place: Coordinate = [-100, 89.95];
    expect(readAround(polar, { coordinate: place }).largest[2]?.distanceKm).toBeCloseTo(
      vectorDistanceKm(place, cellCenter(grid, 0, 39)),
      6,
    );
  });
});

describe("the verdict", () => {
  test("is a hit from the first class beyond an inch on, also the open one", () => {
    const verdictOf = (index: number): string =>
      verify([report(middle)], [frame(0, { indexOf: oneCell(index) })])[0]!.verdict;
    expect([1, 3, 4, 6].map(verdictOf)).toEqual(["miss", "miss", "hit", "hit"]);
  });

  test("takes frames from 15 minutes before to 15 minutes after, and no others", () => {
    const verdictOf = (minutes: number): string =>
      verify([report(middle)], [frame(minutes, { indexOf: oneCell(5) })])[0]!.verdict;
    expect([-15, 15, -15.001, 15.001].map(verdictOf)).toEqual(["hit", "hit", "not-covered", "not-covered"]);
  });

  test("is not covered outside coverage in all frames, a miss if any sees the place, a hit if hail is near", () => {
    const outside = { coverage: (_: number, column: number) => column > 20, indexOf: () => 0 };
    const inside = { indexOf: () => 0 };
    const verdictOf = (...drawn: readonly Drawn[]): string =>
      verify(
        [report(middle)],
        drawn.map((one, index) => frame(index, one)),
      )[0]!.verdict;
    expect(verdictOf(outside, outside)).toBe("not-covered");
    expect(verdictOf(outside, inside, outside)).toBe("miss");
    expect(verdictOf({ ...outside, indexOf: oneCell(5, 18, 22) })).toBe("hit");
  });
});

test("of equal classes the nearer cell counts, of equally near ones that of the frame nearest in time", () => {
  const east = oneCell(5, 18, 23);
  const frames = [
    frame(-10, { indexOf: oneCell(5) }, 1),
    frame(-4, { indexOf: east }, 2),
    frame(4, { indexOf: oneCell(5) }, 3),
    frame(-4, { indexOf: oneCell(5) }, 4),
    frame(12, { indexOf: oneCell(2) }, 5),
  ];
  for (const order of [frames, frames.toReversed()]) {
    const [verified] = verify([report(middle, 25.4)], order);
    expect(verified).toMatchObject({
      nearest: [{ sequence: 4, distanceKm: 0 }, { sequence: 4 }, { sequence: 4 }],
      ofSize: { sequence: 4 },
      atPlace: { kind: "class", range: { lower: 31.75 } },
    });
  }
});

test("a line has nulls where there is no class, and the cells of a table in the order of its columns", () => {
  const far = cellCenter(plains, 18, 33);
  const [near, none] = verify(
    [report(middle, 25.4), { ...report(far), atMs: startMs + 39 * 60_000 }],
    [frame(2, { indexOf: (row, column) => (row === 18 && column === 27 ? 6 : 0) }, 7)],
  );
  const km = Math.round(vectorDistanceKm(middle, cellCenter(plains, 18, 27)) * 1000) / 1000;
  const nothing = { class: null, distanceKm: null, observedAt: null, sequence: null };
  expect(toReportLine(near!)).toEqual({
    ...{ at: "2024-05-20T21:00:00Z", lon: middle[0], lat: middle[1], sizeMm: 25.4, verdict: "hit" },
    nearest: [
      { withinKm: 5, ...nothing },
      { withinKm: 10, ...nothing },
      { withinKm: 20, class: [50.8, null], distanceKm: km, observedAt: at(2), sequence: 7 },
    ],
  });
  expect(toReportLine(none!)).toMatchObject({
    sizeMm: null,
    verdict: "not-covered",
    nearest: [nothing, nothing, nothing],
  });
  const cells = toReportCells(toReportLine(near!));
  expect(cells).toHaveLength(reportColumns.length);
  expect(Object.fromEntries(reportColumns.map((name, index) => [name, cells[index]]))).toMatchObject({
    ...{ at: "2024-05-20T21:00:00Z", lower5: undefined, lower20: 50.8, upper20: undefined },
    ...{ distanceKm20: km, sequence20: 7, verdict: "hit" },
  });
  expect(toTotals([near!, none!])).toEqual({ reports: 2, hit: 1, miss: 0, "not-covered": 1 });
});
