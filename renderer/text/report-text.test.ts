import { expect, test } from "vitest";
import { awayWords } from "./report-text.ts";

const found = { range: { lower: 0, upper: 1 }, observedAt: "", sequence: 1, center: [-97, 35.2] } as const;
const estimate = { ...found, center: [...found.center] as [number, number] };

test.each([
  ["mi", "6.2 mi E"],
  ["nmi", "5.4 nmi E"],
  ["km", "10.0 km E"],
] as const)("how far an estimate is from its report is told in %s", (unit, words) => {
  expect(awayWords([-97.1, 35.2], { ...estimate, distanceKm: 10 }, unit)).toBe(words);
});

test("within a cell, no direction is told", () => {
  expect(awayWords([-97.001, 35.2], { ...estimate, distanceKm: 0.1 }, "mi")).toBe("less than 1 mi");
});
