import { expect, test } from "vitest";
import { findGaps } from "./gaps.ts";

test("missing windows are found as runs, also at either end", () => {
  const listed = new Set([3, 4, 7]);
  expect(findGaps(1, 9, (window) => listed.has(window))).toEqual([
    { firstWindow: 1, lastWindow: 2, length: 2 },
    { firstWindow: 5, lastWindow: 6, length: 2 },
    { firstWindow: 8, lastWindow: 9, length: 2 },
  ]);
  expect(findGaps(3, 4, (window) => listed.has(window))).toEqual([]);
  expect(findGaps(4, 3, () => false)).toEqual([]);
});
