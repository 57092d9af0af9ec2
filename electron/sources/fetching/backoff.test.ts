import * as fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, jitteredMs } from "./backoff.ts";

const bounds = { firstMs: 1_000, longestMs: 60_000 };

test("delays double up to the longest, and at least half of each is waited", () => {
  const least = [1, 2, 3, 7, 8, 1_000].map((attempt) => backoffMs(attempt, bounds, () => 0));
  expect(least).toEqual([500, 1_000, 2_000, 30_000, 30_000, 30_000]);
});

test("a service that asks for a longer wait gets it, up to the longest, and not all come back at once", () => {
  const waits = (askedMs: number, chance: number): number =>
    backoffMs(1, { ...bounds, askedMs }, () => chance);
  expect([waits(0, 0), waits(400, 0), waits(20_000, 0)]).toEqual([500, 500, 20_000]);
  expect(waits(20_000, 0.5)).toBe(21_000);
  expect([waits(58_000, 0.9), waits(3_600_000, 0)]).toEqual([60_000, 60_000]);
});

test("no chance makes a delay longer than its bound, and a pace strays by a tenth at most", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, chance) => {
        const delay = backoffMs(attempt, bounds, () => chance);
        expect(delay).toBeGreaterThanOrEqual(500);
        expect(delay).toBeLessThanOrEqual(60_000);
        expect(Math.abs(jitteredMs(10_000, () => chance) - 10_000)).toBeLessThanOrEqual(1_000);
      },
    ),
    { seed: 20_240_501 },
  );
});
