import fc from "fast-check";
import { expect, test } from "vitest";
import { jitteredMs } from "../fetching/backoff.ts";
import { retryDelay } from "./link-error.ts";

const timing = { pollMs: 120_000, backoffMaxMs: 600_000 };

test("a feed polls every two minutes, give or take a tenth", () => {
  expect(jitteredMs(timing.pollMs, () => 0)).toBe(108_000);
  expect(jitteredMs(timing.pollMs, () => 0.5)).toBe(120_000);
  expect(jitteredMs(timing.pollMs, () => 1)).toBe(132_000);
});

test("after errors it polls sooner at first, then at growing pauses up to the limit", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7, 800].map((failures) => retryDelay(failures, timing, () => 1));
  expect(delays).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
});

test("no pause after a failure is under half a second or above its limit", () => {
  fc.assert(
    fc.property(
      fc.nat(100_000).map((failures) => failures + 1),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 3600 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.option(fc.nat(), { nil: undefined }),
      (failures, chance, pollSeconds, backoffSeconds, askedMs) => {
        const bounds = { pollMs: pollSeconds * 1000, backoffMaxMs: backoffSeconds * 1000 };
        const delay = retryDelay(failures, bounds, () => chance, askedMs);
        expect(delay).toBeGreaterThanOrEqual(500);
        expect(delay).toBeLessThanOrEqual(bounds.backoffMaxMs);
      },
    ),
    { seed: 20_260_521 },
  );
});
