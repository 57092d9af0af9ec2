import { describe, expect, test } from "vitest";
import type { LatLonGrid } from "../../geo/grid.ts";
import { toCellFrame, type CellFrame } from "../cell-frame.ts";
import { toClassFrame } from "../support/cell-plane.ts";
import { findMatchingAreas, isAnyCovered } from "./matching-areas.ts";
import { followStorms, type ToldStorm } from "./told-storms.ts";

/** Tenths of a degree from 100 W, 46 N. */
const grid: LatLonGrid = {
  columns: 40,
  rows: 30,
  westUdeg: -100_000_000,
  northUdeg: 46_000_000,
  spacingXUdeg: 100_000,
  spacingYUdeg: 100_000,
};

/** Class index of a reflectivity. */
const dbz = (value: number): number => (value - 5) * 2 + 1;

function frameOf(cells: readonly (readonly [row: number, column: number, value: number])[]): CellFrame {
  const indices = new Uint8Array(grid.rows * grid.columns);
  for (const [row, column, value] of cells) indices[row * grid.columns + column] = dbz(value);
  const covered = Array.from(indices, (_, cell) => cell % grid.columns < 30);
  return toCellFrame(toClassFrame({ grid, indices, covered }))!;
}

describe("areas at or above a class", () => {
  const frame = frameOf([
    [5, 5, 60],
    [6, 6, 62],
    [6, 7, 61],
    [7, 6, 59.5],
    [5, 20, 70],
    [5, 21, 40],
    [9, 8, 60],
  ]);

  test("are connected also at a corner, and the highest comes first", () => {
    const areas = findMatchingAreas(frame, 60, {});
    expect(areas.map(({ range }) => range.lower)).toEqual([70, 62, 60]);
    expect(areas[1]!.peak).toEqual([-99.35, 45.35]);
    expect(areas[1]!.points).toHaveLength(3);
    expect(findMatchingAreas(frame, 59.5, {})).toHaveLength(3);
    expect(findMatchingAreas(frame, 71, {})).toEqual([]);
    expect(findMatchingAreas(frameOf([]), 60, {})).toEqual([]);
  });

  test("join where two arms meet below", () => {
    const arms = frameOf([
      [2, 2, 60],
      [3, 2, 60],
      [2, 4, 60],
      [3, 4, 60],
      [4, 3, 65],
    ]);
    expect(findMatchingAreas(arms, 60, {}).map(({ range }) => range.lower)).toEqual([65]);
  });

  test("count only where the rule looks", () => {
    const within = [-98.2, 45, -97, 46] as const;
    expect(findMatchingAreas(frame, 60, { within: [...within] }).map(({ range }) => range.lower)).toEqual([
      70,
    ]);
    const around = { center: [-99.35, 45.35] as [number, number], km: 9 };
    const [near, ...others] = findMatchingAreas(frame, 60, { around });
    expect(others).toEqual([]);
    expect(near!.points).toEqual([
      [-99.35, 45.35],
      [-99.25, 45.35],
    ]);
  });

  test("tell nothing there from nothing seen", () => {
    expect(isAnyCovered(frame, {})).toBe(true);
    expect(isAnyCovered(frame, { within: [-99.5, 44, -99, 45] })).toBe(true);
    expect(isAnyCovered(frame, { within: [-96.9, 44, -96.5, 45] })).toBe(false);
    expect(isAnyCovered(frame, { within: [10, 44, 11, 45] })).toBe(false);
  });
});

describe("storms that were told", () => {
  const minute = 60_000;
  const at = (longitude: number, latitude = 45, lower = 60) => ({
    range: { lower, upper: lower + 0.5 },
    peak: [longitude, latitude] as [number, number],
    points: [[longitude, latitude] as [number, number]],
  });

  test("are told once while they move on, and a new one beside them is told", () => {
    let told: readonly ToldStorm[] = [];
    const fresh = [0, 1, 2, 3].map((step) => {
      // 0.25 degrees are 20 km here.
      const followed = followStorms(told, [at(-98 + 0.25 * step), at(-95)], step * 10 * minute);
      told = followed.told;
      return followed.fresh.length;
    });
    expect(fresh).toEqual([2, 0, 0, 0]);
  });

  test("are new again beyond 25 km, or after more than 30 minutes", () => {
    const { told } = followStorms([], [at(-98)], 0);
    expect(followStorms(told, [at(-97.69)], 30 * minute).fresh).toHaveLength(0);
    expect(followStorms(told, [at(-97.67)], 30 * minute).fresh).toHaveLength(1);
    expect(followStorms(told, [at(-98)], 31 * minute).fresh).toHaveLength(1);
  });

  test("in one frame are one storm within 25 km", () => {
    const areas = [at(-98, 45, 65), at(-97.8), at(-97.6)];
    expect(followStorms([], areas, 0).fresh.map(({ range }) => range.lower)).toEqual([65]);
  });

  test("are kept through a frame without them", () => {
    const { told } = followStorms([], [at(-98)], 0);
    const missed = followStorms(told, [], 10 * minute);
    expect(followStorms(missed.told, [at(-98)], 20 * minute).fresh).toHaveLength(0);
  });
});
