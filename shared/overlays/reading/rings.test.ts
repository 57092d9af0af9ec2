import { expect, test } from "vitest";
import type { Coordinate } from "../../contract/primitives.ts";
import { closeRing, groupRings } from "./rings.ts";

const box = (west: number, east: number): Coordinate[] => [
  [west, west],
  [west, east],
  [east, east],
  [east, west],
  [west, west],
];

test("a ring inside another is a hole, one inside a hole an area again", () => {
  const [outer, hole, island, apart] = [box(0, 10), box(1, 9), box(2, 8), box(20, 30)];
  expect(groupRings([island, hole, outer, apart])).toEqual([[island], [outer, hole], [apart]]);
});

test("a ring is closed once", () => {
  const open = box(0, 1).slice(0, -1);
  expect(closeRing(open)).toEqual(box(0, 1));
  expect(closeRing(closeRing(open))).toHaveLength(5);
  expect(closeRing([])).toEqual([]);
});
