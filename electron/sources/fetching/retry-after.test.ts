import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

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
])("Retry-After %j beside Date %j asks for %j ms", (value, beside, expected) => {
  const headers = new Headers({ "retry-after": value, ...(beside === undefined ? {} : { date: beside }) });
  expect(parseRetryAfter(headers)).toBe(expected);
});

test("an answer without it asks for nothing", () => {
  expect(parseRetryAfter(new Headers({ date }))).toBeUndefined();
});
