import { expect, test } from "vitest";
import { isCovered, setCovered, type CoverageGrid } from "./coverage-grid.ts";

const grid: CoverageGrid = {
  bounds: [0, 0, 3, 3],
  width: 3,
  height: 3,
  bits: Uint8Array.of(0b0010_0100, 0b1000_0000),
};

test("coverage bits run from the northwest, most significant first, without padding", () => {
  const seen: string[] = [];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      if (isCovered(grid, column + 0.5, 2.5 - row)) seen.push(`${row} ${column}`);
    }
  }
  expect(seen).toEqual(["0 2", "1 2", "2 2"]);
});

test("cells that are set are the cells that are read", () => {
  const bits = new Uint8Array(2);
  for (const cell of [2, 5, 8]) setCovered(bits, cell);
  expect(bits).toEqual(grid.bits);
});

test("nothing outside the grid is covered", () => {
  const full: CoverageGrid = { ...grid, bits: Uint8Array.of(0xff, 0xff) };
  expect(isCovered(full, 0, 3)).toBe(true);
  for (const [longitude, latitude] of [
    [-0.1, 1],
    [3, 1],
    [1, 3.1],
    [1, 0],
  ] as const)
    expect(isCovered(full, longitude, latitude)).toBe(false);
});
