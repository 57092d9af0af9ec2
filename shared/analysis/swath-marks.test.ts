import { expect, test } from "vitest";
import type { LatLonGrid } from "../geo/grid.ts";
import { toCellFrame } from "./cell-frame.ts";
import { findSouthEnd, toLineMarks } from "./swath-marks.ts";
import { SwathBuilder } from "./swath.ts";
import { toClassFrame } from "./support/cell-plane.ts";

const grid: LatLonGrid = {
  columns: 5,
  rows: 4,
  westUdeg: 0,
  northUdeg: 0,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Classes of whole inches: index 1 is an inch and larger, 2 is two and larger. */
const inches = { product: "mrms-mesh", unit: "mm", edges: [25.4, 50.8] } as const;

function toFrame(indices: readonly number[]) {
  const plane = { grid, indices: Uint8Array.from(indices), covered: indices.map(() => true) };
  return toCellFrame({ ...toClassFrame(plane), classes: { ...inches, edges: [...inches.edges] } })!;
}

const storm = toFrame([...[0, 0, 0, 0, 1], ...[0, 1, 2, 2, 1], ...[0, 0, 1, 1, 0], ...[0, 0, 1, 0, 0]]);

test("contours are marked where the way west from the highest cell crosses them", () => {
  const builder = new SwathBuilder();
  builder.add(storm);
  const swath = builder.toSwath()!;
  expect(toLineMarks(swath, 2)).toEqual([
    { lower: 25.4, coordinate: [0.01, -0.015] },
    { lower: 50.8, coordinate: [0.02, -0.015] },
  ]);
  expect(toLineMarks(swath, 0)).toEqual([]);
});

test("the storm of a frame is marked at the southern end of the cells below its highest", () => {
  const end = findSouthEnd(storm)!;
  expect(end[0]).toBeCloseTo(0.035, 9);
  expect(end[1]).toBeCloseTo(-0.03, 9);
  expect(findSouthEnd(toFrame(Array<number>(20).fill(0)))).toBeUndefined();
});
