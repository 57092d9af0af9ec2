import { expect, test } from "vitest";
import { toOneScale } from "./pack-progress.ts";

function run(stages: number, reports: readonly (readonly [done: number, total: number])[]): number[] {
  const shown: number[] = [];
  const report = toOneScale(stages, (done, total) => {
    expect(total).toBe(100);
    shown.push(done);
  });
  for (const [done, total] of reports) report(done, total);
  return shown;
}

test("two stages with different totals fill one scale", () => {
  expect(
    run(2, [
      [0, 32],
      [16, 32],
      [32, 32],
      [0, 33],
      [11, 33],
      [33, 33],
    ]),
  ).toEqual([0, 25, 50, 50, 66, 100]);
});

test("a second stage with the same total begins when the count falls", () => {
  expect(
    run(2, [
      [4, 4],
      [1, 4],
      [4, 4],
    ]),
  ).toEqual([50, 62, 100]);
});

test("progress never goes back, even if the last stage starts over", () => {
  expect(
    run(2, [
      [3, 3],
      [8, 10],
      [0, 10],
      [10, 10],
    ]),
  ).toEqual([50, 90, 90, 100]);
  expect(
    run(1, [
      [5, 10],
      [0, 10],
      [0, 12],
      [12, 12],
    ]),
  ).toEqual([50, 50, 50, 100]);
});

test("a stage without work has no progress of its own", () => {
  expect(
    run(2, [
      [0, 0],
      [5, 10],
      [10, 10],
    ]),
  ).toEqual([0, 75, 100]);
});
