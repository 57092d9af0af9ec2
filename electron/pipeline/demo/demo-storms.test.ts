// Behavior of the demonstration's storms, measured on the fields that are rendered from them.
import { beforeAll, describe, expect, test } from "vitest";
import { findCell } from "../../../shared/geo/grid.ts";
import { createObserver } from "./demo-fields.ts";
import type { ObservedFields } from "./demo-fields.ts";
import { region } from "./region.ts";

interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/** Cells northwest and southeast of two places. */
interface Box {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

interface Core {
  readonly cells: number;
  readonly row: number;
  readonly column: number;
}

function boxOf(northWest: Place, southEast: Place): Box {
  const first = findCell(region, northWest.longitude, northWest.latitude)!;
  const last = findCell(region, southEast.longitude, southEast.latitude)!;
  return { rows: [first.row, last.row], columns: [first.column, last.column] };
}

/** Calls back for each cell of a box; a box may be the whole region, so no list of cells is built. */
function eachCell({ rows, columns }: Box, visit: (cell: number) => void): void {
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) visit(row * region.columns + column);
  }
}

function cellsWhere(box: Box, accept: (cell: number) => boolean): number[] {
  const cells: number[] = [];
  eachCell(box, (cell) => {
    if (accept(cell)) cells.push(cell);
  });
  return cells;
}

/** Returns connected areas above this many tenths, diagonal neighbors included, largest first; omits specks. */
function findCores(tenths: Int16Array, box: Box, threshold: number): Core[] {
  const open = new Set(cellsWhere(box, (cell) => tenths[cell]! >= threshold));
  const cores: Core[] = [];
  for (const seed of open) {
    const members: number[] = [];
    const queue = [seed];
    open.delete(seed);
    for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
      members.push(cell);
      for (const down of [-region.columns, 0, region.columns]) {
        for (const across of [-1, 0, 1]) {
          if (open.delete(cell + down + across)) queue.push(cell + down + across);
        }
      }
    }
    if (members.length < 12) continue;
    const mean = (of: (cell: number) => number): number =>
      members.reduce((sum, cell) => sum + of(cell), 0) / members.length;
    cores.push({
      cells: members.length,
      row: mean((cell) => Math.floor(cell / region.columns)),
      column: mean((cell) => cell % region.columns),
    });
  }
  return cores.toSorted((a, b) => b.cells - a.cells);
}

function largest(tenths: Int16Array, box: Box): number {
  let most = -Infinity;
  eachCell(box, (cell) => {
    most = Math.max(most, tenths[cell]!);
  });
  return most;
}

function areaAbove(tenths: Int16Array, box: Box, threshold: number): number {
  let area = 0;
  eachCell(box, (cell) => {
    if (tenths[cell]! >= threshold) area += 1;
  });
  return area;
}

const wholeRegion: Box = { rows: [0, region.rows], columns: [0, region.columns] };
/** Area southwest of Oklahoma City that both halves of the splitting storm reach. */
const splitArea = boxOf({ longitude: -98.2, latitude: 35.95 }, { longitude: -96.6, latitude: 34.6 });
const wichitaArea = boxOf({ longitude: -98.8, latitude: 38 }, { longitude: -97, latitude: 37 });
const minutes = [2, 12, 20, 34, 36, 40, 46, 52] as const;

describe("the storms of the demonstration", () => {
  const fields = new Map<number, ObservedFields>();
  const at = (minute: (typeof minutes)[number]): ObservedFields => fields.get(minute)!;

  beforeAll(() => {
    const observer = createObserver();
    for (const minute of minutes) fields.set(minute, observer.observe(minute));
  });

  test("one storm grows and splits into a left and a right mover, and the left one dies", () => {
    const cores = ([2, 12, 20, 34, 40, 52] as const).map(
      (minute) => findCores(at(minute).reflectivity, splitArea, 500).length,
    );
    expect(cores).toEqual([0, 1, 1, 2, 2, 1]);
    const [one] = findCores(at(12).reflectivity, splitArea, 500);
    const [before] = findCores(at(20).reflectivity, splitArea, 500);
    expect(before!.cells).toBeGreaterThan(one!.cells);
    const [right, left] = findCores(at(40).reflectivity, splitArea, 500);
    // Rows count southward: the right mover is the southern one, and the one that survives.
    expect(right!.row - left!.row).toBeGreaterThan(15);
    expect(right!.cells).toBeGreaterThan(left!.cells);
  });

  test("a storm moves northeast, then its right mover heads east and reaches Norman", () => {
    const [early] = findCores(at(12).reflectivity, splitArea, 500);
    const [later] = findCores(at(20).reflectivity, splitArea, 500);
    expect(later!.column - early!.column).toBeGreaterThan(5);
    expect(early!.row - later!.row).toBeGreaterThan(4);
    const [turned] = findCores(at(40).reflectivity, splitArea, 500);
    const [last] = findCores(at(52).reflectivity, splitArea, 500);
    expect(last!.column - turned!.column).toBeGreaterThan(7);
    expect(Math.abs(last!.row - turned!.row)).toBeLessThan(4);
    const norman = findCell(region, -97.44, 35.22)!;
    expect(Math.hypot(last!.row - norman.row, last!.column - norman.column)).toBeLessThan(12);
  });

  test("the old storm near Wichita decays", () => {
    const areas = ([2, 20, 40, 52] as const).map((minute) =>
      areaAbove(at(minute).reflectivity, wichitaArea, 400),
    );
    expect(areas[0]).toBeGreaterThan(1000);
    expect(areas[2]).toBeLessThan(areas[1]! * 0.7);
    expect(areas[3]).toBeLessThan(areas[0]! * 0.25);
  });

  test("hail grows from none to more than two inches", () => {
    expect(largest(at(2).mesh, splitArea)).toBeLessThanOrEqual(0);
    const growing = ([12, 20, 34, 46] as const).map((minute) => largest(at(minute).mesh, splitArea));
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect(growing.at(-1)).toBeGreaterThan(508);
    expect(largest(at(46).mesh, wholeRegion)).toBeLessThan(1000);
  });

  test("hail falls only below strong echoes, in a small part of the rain area", () => {
    for (const minute of minutes) {
      const { reflectivity, mesh } = at(minute);
      const hail = cellsWhere(wholeRegion, (cell) => mesh[cell]! > 0);
      expect(hail.length).toBeGreaterThan(100);
      expect(Math.min(...hail.map((cell) => reflectivity[cell]!))).toBeGreaterThanOrEqual(450);
      expect(hail.length).toBeLessThan(areaAbove(reflectivity, wholeRegion, 50) / 50);
    }
  });

  test("echoes have half-dBZ steps up to 68.5 and cover about a fifth of the region", () => {
    for (const minute of minutes) {
      const { reflectivity } = at(minute);
      const odd = reflectivity.filter(
        (tenths) => tenths > -990 && (tenths % 5 !== 0 || tenths < -40 || tenths > 685),
      );
      expect(odd).toHaveLength(0);
      const share = areaAbove(reflectivity, wholeRegion, 50) / reflectivity.length;
      expect(share).toBeGreaterThan(0.12);
      expect(share).toBeLessThan(0.3);
    }
  });

  test("both products lack coverage in the same place: round bites in the northwest", () => {
    const { reflectivity, mesh } = at(34);
    const beyond = cellsWhere(wholeRegion, (cell) => reflectivity[cell] === -9990);
    expect(beyond.length).toBeGreaterThan(8000);
    expect(beyond).toEqual(cellsWhere(wholeRegion, (cell) => mesh[cell] === -30));
    const farthest = beyond.reduce(
      (most, cell) => Math.max(most, Math.hypot(Math.floor(cell / region.columns), cell % region.columns)),
      0,
    );
    expect(farthest).toBeLessThan(340);
    expect(reflectivity[0]).toBe(-9990);
  });

  test("two minutes change a small part of the picture", () => {
    const now = at(34).reflectivity;
    const soon = at(36).reflectivity;
    const strong = cellsWhere(wholeRegion, (cell) => now[cell]! >= 350);
    const still = strong.filter((cell) => soon[cell]! >= 300).length / strong.length;
    expect(still).toBeGreaterThan(0.75);
    expect(still).toBeLessThan(0.995);
  });
});
