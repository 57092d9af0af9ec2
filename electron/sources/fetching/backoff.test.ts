import * as fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, jitteredMs, parseRetryAfter } from "./backoff.ts";

const bounds = { firstMs: 1_000, longestMs: 60_000 };

test("delays double up to the longest, and each wait is at least half the delay", () => {
  const least = [1, 2, 3, 7, 8, 1_000].map((attempt) => backoffMs(attempt, bounds, () => 0));
  expect(least).toEqual([500, 1_000, 2_000, 30_000, 30_000, 30_000]);
});

test("a requested wait is granted up to the longest, with a random addition", () => {
  const waits = (askedMs: number, chance: number): number =>
    backoffMs(1, { ...bounds, askedMs }, () => chance);
  expect([waits(0, 0), waits(400, 0), waits(20_000, 0)]).toEqual([500, 500, 20_000]);
  expect(waits(20_000, 0.5)).toBe(21_000);
  expect([waits(58_000, 0.9), waits(3_600_000, 0)]).toEqual([60_000, 60_000]);
});

test("no random number exceeds the bound, and an interval varies by a tenth at most", () => {
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

const date = "Sun, 06 Nov 1994 08:49:37 GMT";

test.each<[string, string | undefined, number | undefined]>([
  ["0", undefined, 0],
  [" 120 ", undefined, 120_000],
  ["Sun, 06 Nov 1994 08:51:37 GMT", date, 120_000],
  ["Sun, 06 Nov 1994 08:51:37 GMT", undefined, undefined],
  ["Sun, 06 Nov 1994 08:49:36 GMT", date, undefined],
  ["-1", date, undefined],
  ["1.5", date, undefined],
  ["99999999999999999999", date, undefined],
  ["2030", "2029", 2_030_000],
  ["1994-11-06T08:51:37Z", date, undefined],
  ["soon", date, undefined],
  ["", date, undefined],
])("Retry-After %j with Date %j is %j ms", (value, beside, expected) => {
  const headers = new Headers({ "retry-after": value, ...(beside === undefined ? {} : { date: beside }) });
  expect(parseRetryAfter(headers)).toBe(expected);
});

test("a missing Retry-After is undefined", () => {
  expect(parseRetryAfter(new Headers({ date }))).toBeUndefined();
});
