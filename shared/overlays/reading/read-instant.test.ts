import { expect, test } from "vitest";
import { readInstant } from "./read-instant.ts";

const at = Date.parse("2026-05-20T21:34:00Z");

test.each([
  ["2026-05-20T21:34:00Z"],
  ["2026-05-20T21:34Z"],
  ["2026-05-20 21:34:00"],
  ["2026-05-20 21:34:00.000 UTC"],
  ["2026-05-20T16:34:00-05:00"],
  ["2026-05-20T16:34:00-0500"],
  ["202605202134"],
  ["20260520213400"],
  [at],
  [at / 1000],
  [String(at)],
  [String(at / 1000)],
])("%j is an instant", (value) => {
  expect(readInstant(value)).toBe(at);
});

test("a day alone is its beginning, or as an end its last millisecond", () => {
  expect(readInstant("2026-05-20")).toBe(Date.parse("2026-05-20T00:00Z"));
  expect(readInstant("2026-05-20", "last")).toBe(Date.parse("2026-05-21T00:00Z") - 1);
});

test.each([
  "",
  "yesterday",
  "21:34",
  "2026-13-40",
  "2026-05-20T25:00Z",
  "May 20",
  "12345",
  17,
  Number.NaN,
  1e20,
  null,
  {},
])("%j is no instant", (value) => {
  expect(readInstant(value)).toBeUndefined();
});
