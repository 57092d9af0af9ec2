import { expect, test } from "vitest";
import { pollDelayMs } from "./latest-poll.ts";

test("a viewer asks every 30 seconds, a fifth sooner or later", () => {
  expect(pollDelayMs(0, () => 0)).toBe(24_000);
  expect(pollDelayMs(0, () => 0.5)).toBe(30_000);
  expect(pollDelayMs(0, () => 0.999)).toBe(35_988);
});

test("failures double the delay, up to five minutes", () => {
  expect([1, 2, 3, 4, 5, 60].map((failures) => pollDelayMs(failures, () => 0.5))).toEqual([
    60_000, 120_000, 240_000, 300_000, 300_000, 300_000,
  ]);
});
