import { describe, expect, test } from "vitest";
import { knownAtWords, parseTypedTime } from "./known-at-text.ts";

const observedMs = Date.parse("2026-05-20T21:42:38Z");
const publishedMs = Date.parse("2026-05-20T21:46:10Z");
const facts = { sequence: 23, latest: 32, hidden: 9, observedMs, publishedMs };

describe("the words of a known time", () => {
  test("name the time, the sequence, and how much is hidden", () => {
    expect(knownAtWords(facts)).toEqual({
      at: "21:46:10 UTC",
      atShort: "21:46:10 UTC",
      place: "sequence 23 of 32",
      hidden: "9 later revisions hidden",
      hiddenShort: "9 hidden",
      spoken: "21:46:10 UTC, sequence 23 of 32, 9 later revisions hidden",
      age: { name: "Age at 21:46:10", value: "3 min 32 s" },
    });
    expect(knownAtWords({ ...facts, hidden: 1 }).hidden).toBe("1 later revision hidden");
  });

  test("have the day of a publication on another day, and no age of days", () => {
    const words = knownAtWords({ ...facts, publishedMs: publishedMs + 40 * 86_400_000 });
    expect(words.at).toBe("29 Jun 2026 21:46:10 UTC");
    expect(words.atShort).toBe("29 Jun 21:46:10 UTC");
    expect(words.age).toBeUndefined();
  });

  test("do without a time that is not known", () => {
    const words = knownAtWords({ ...facts, publishedMs: undefined });
    expect(words.spoken).toBe("sequence 23 of 32, 9 later revisions hidden");
  });
});

describe("a typed time", () => {
  const newestMs = Date.parse("2026-05-21T00:30:00Z");
  test.each([
    ["21:46", "2026-05-20T21:46:00Z"],
    ["21:46:10", "2026-05-20T21:46:10Z"],
    ["2146Z", "2026-05-20T21:46:00Z"],
    [" 00:10 ", "2026-05-21T00:10:00Z"],
    ["2026-05-19T21:46", "2026-05-19T21:46:00Z"],
    ["2026-05-19T21:46:10-05:00", "2026-05-20T02:46:10Z"],
  ])("%s is the last such time up to the newest publication", (typed, instant) => {
    expect(parseTypedTime(typed, newestMs)).toBe(Date.parse(instant));
  });

  test.each(["", "24:00", "21:60", "nine", "21:4", "2026-13-40T00:00", "12 May"])("“%s” is none", (typed) => {
    expect(parseTypedTime(typed, newestMs)).toBeUndefined();
  });
});
