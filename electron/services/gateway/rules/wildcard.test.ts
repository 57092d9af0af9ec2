// Wildcard patterns and their search, compared with slow and simple ones, and in bounded time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { someRequest } from "../support/some-request.ts";
import { createTextSearch } from "./expression-text.ts";
import { parseWildcard } from "./wildcard.ts";

const matches = (pattern: string, value: string, strict = false): boolean => {
  const parsed = parseWildcard(pattern, { strict });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.matches(value);
};

describe("a wildcard pattern", () => {
  test.each([
    ["/articles/*", "/articles/", true],
    ["/articles/*", "/ARTICLES/2026/11", true],
    ["/articles/*", "/x/articles/1", false],
    ["*.example", "brief.EXAMPLE", true],
    ["*.example", "brief.example.org", false],
    ["*", "", true],
    ["", "", true],
    ["", "a", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*ab*ab", "ab", false],
    ["*ab*ab", "abab", true],
    ["a*b*c", "a1b2b3c", true],
    ["a*b*c", "a1c2b", false],
    [String.raw`a\*b`, "a*b", true],
    [String.raw`a\*b`, "axb", false],
    [String.raw`a\\*`, String.raw`a\b`, true],
    ["a?c", "abc", false],
    ["a.c", "abc", false],
  ])("%s matches %s: %s", (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected);
  });

  test("distinguishes upper and lower case only if it is strict", () => {
    expect([matches("/R/*", "/r/1"), matches("/R/*", "/r/1", true), matches("/r/*", "/r/1", true)]).toEqual([
      true,
      false,
      true,
    ]);
    const fields = someRequest({ path: "/R/1" });
    expect(compileExpression('http.request.uri.path wildcard "/r/*"').matches(fields)).toBe(true);
    expect(compileExpression('http.request.uri.path strict wildcard "/r/*"').matches(fields)).toBe(false);
  });

  test.each(["a**", "**", "a***b"])("%s is refused", (pattern) => {
    expect(() => compileExpression(`http.host wildcard "${pattern}"`)).toThrow(/may not contain/);
  });

  test.each([String.raw`a\b`, "a\\"])("%s is refused: unknown escape", (pattern) => {
    expect(() => compileExpression(`http.host strict wildcard r"${pattern}"`)).toThrow(/backslash/);
  });

  test("agrees with the simplest matcher", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
    const pattern = fc
      .array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 }), { maxLength: 4 })
      .chain((parts) => fc.constantFrom(parts.join("*"), `*${parts.join("*")}`, `${parts.join("*")}*`))
      .filter((text) => !text.includes("**"));
    fc.assert(
      fc.property(pattern, letters, (text, value) => {
        expect(matches(text, value, true)).toBe(fitsPlainly(text, value));
      }),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });
});

/** Matches by trying every length for each asterisk. */
function fitsPlainly(pattern: string, value: string): boolean {
  if (pattern === "") return value === "";
  if (!pattern.startsWith("*")) {
    return value.startsWith(pattern.charAt(0)) && fitsPlainly(pattern.slice(1), value.slice(1));
  }
  return Array.from({ length: value.length + 1 }, (_, at) => value.slice(at)).some((rest) =>
    fitsPlainly(pattern.slice(1), rest),
  );
}

describe("the text search", () => {
  test("finds what the built-in search finds, for any length", () => {
    const text = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength });
    const cases = fc.tuple(text(3), fc.integer({ min: 1, max: 30 }), text(3), text(200), fc.nat(20));
    fc.assert(
      fc.property(cases, ([unit, times, tail, around, from]) => {
        const needle = unit.repeat(times) + tail;
        for (const haystack of [around, around + needle + around, unit.repeat(times + 2) + tail]) {
          expect(createTextSearch(needle)(haystack, from)).toBe(haystack.indexOf(needle, from));
        }
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });
});

describe("the worst case of a search", () => {
  const long = "a".repeat(1_000_000);
  const path = "http.request.uri.path";
  test.each([
    `${path} contains "b${"a".repeat(4_000)}"`,
    `${path} contains "${"a".repeat(4_000)}b"`,
    `${path} contains "${"a".repeat(2_000)}b${"a".repeat(2_000)}"`,
    `${path} wildcard "*${"a*".repeat(2_000)}b"`,
    `${path} strict wildcard "*${"a".repeat(1_900)}*${"a".repeat(1_900)}b*"`,
    `${path} wildcard "*${`${"a".repeat(40)}b*`.repeat(90)}"`,
  ])("%.60s… takes linear time", (text) => {
    const { matches: hold } = compileExpression(text);
    const startedAt = performance.now();
    expect(hold(someRequest({ path: long }))).toBe(false);
    // A backtracking search takes 4,000,000,000 steps here, or never ends.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
