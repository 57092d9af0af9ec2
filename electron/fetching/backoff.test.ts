import * as fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, jitteredMs } from "./backoff.ts";

const bounds = { firstMs: 1_000, longestMs: 60_000 };

test("delays double up to the longest, and at least half of each is waited", () => {
  const least = [1, 2, 3, 7, 8, 1_000].map((attempt) => backoffMs(attempt, bounds, () => 0));
  expect(least).toEqual([500, 1_000, 2_000, 30_000, 30_000, 30_000]);
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
