import { expect, test } from "vitest";
import { findGaps, gapLength } from "./gaps.ts";

test("missing windows are told in runs, those at either end among them", () => {
  const listed = new Set([3, 4, 7]);
  expect(findGaps(1, 9, (window) => listed.has(window))).toEqual([
    { firstWindow: 1, lastWindow: 2 },
    { firstWindow: 5, lastWindow: 6 },
    { firstWindow: 8, lastWindow: 9 },
  ]);
  expect(findGaps(3, 4, (window) => listed.has(window))).toEqual([]);
  expect(findGaps(4, 3, () => false)).toEqual([]);
  expect(gapLength({ firstWindow: 5, lastWindow: 6 })).toBe(2);
});
