import { describe, expect, test } from "vitest";
import { createAnswer, isCurrent } from "./answer.ts";

const etag = '"abc"';

describe("If-None-Match", () => {
  test.each([
    '"abc"',
    'W/"abc"',
    '"x", "abc"',
    '"x",W/"abc" ,"y"',
    "*",
    " * ",
    '"x" "abc"',
    '"unclosed, "abc"',
    'junk, "abc"',
    ',,"abc",,',
  ])("%j matches", (header) => {
    expect(isCurrent(header, etag)).toBe(true);
  });

  test.each([
    "",
    '""',
    '"ABC"',
    "abc",
    '"ab"',
    '"abcd"',
    'w/"ab"',
    "W/",
    '"x", "y"',
    '"*"',
    "W/*",
    "\u0000",
    '"a"bc"',
  ])("%j does not", (header) => {
    expect(isCurrent(header, etag)).toBe(false);
  });

  test("our weak tag matches its strong and its weak form", () => {
    expect(isCurrent('"abc"', 'W/"abc"')).toBe(true);
    expect(isCurrent('W/"abc"', 'W/"abc"')).toBe(true);
    expect(isCurrent('W/"x"', 'W/"abc"')).toBe(false);
  });

  test("an answer without a tag is never current", () => {
    expect(isCurrent("*", undefined)).toBe(false);
    expect(isCurrent(undefined, etag)).toBe(false);
  });

  test("reads a header with thousands of tags completely", () => {
    const many = '"x",'.repeat(4_000) + '"'.repeat(4_001);
    expect(isCurrent(many, etag)).toBe(false);
    expect(isCurrent(`${'"x",'.repeat(4_000)}"abc"`, etag)).toBe(true);
  });
});

test("counts bytes, not characters; a 304 keeps tag and cache rule but has no body headers", () => {
  const answer = createAnswer({ body: "né", type: "text/plain", etag, cache: "no-cache" });
  expect(answer.headers["content-length"]).toBe("3");
  expect(answer.notModifiedHeaders).toMatchObject({ etag, "cache-control": "no-cache" });
  expect(Object.keys(answer.notModifiedHeaders)).not.toContain("content-length");
  expect(Object.keys(answer.notModifiedHeaders)).not.toContain("content-type");
});
