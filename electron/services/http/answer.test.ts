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
  ])("%j says that the client holds it", (header) => {
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

  test("a weak tag of ours matches its strong and its weak form", () => {
    expect(isCurrent('"abc"', 'W/"abc"')).toBe(true);
    expect(isCurrent('W/"abc"', 'W/"abc"')).toBe(true);
    expect(isCurrent('W/"x"', 'W/"abc"')).toBe(false);
  });

  test("an answer without a tag is never current", () => {
    expect(isCurrent("*", undefined)).toBe(false);
    expect(isCurrent(undefined, etag)).toBe(false);
  });

  test("a header of many thousand tags is read to its end", () => {
    const many = '"x",'.repeat(4_000) + '"'.repeat(4_001);
    expect(isCurrent(many, etag)).toBe(false);
    expect(isCurrent(`${'"x",'.repeat(4_000)}"abc"`, etag)).toBe(true);
  });
});

test("an answer counts bytes, not characters, and its 304 keeps tag and cache rule but describes no body", () => {
  const answer = createAnswer({ body: "né", type: "text/plain", etag, cache: "no-cache" });
  expect(answer.headers["content-length"]).toBe("3");
  expect(answer.notModifiedHeaders).toMatchObject({ etag, "cache-control": "no-cache" });
  expect(Object.keys(answer.notModifiedHeaders)).not.toContain("content-length");
  expect(Object.keys(answer.notModifiedHeaders)).not.toContain("content-type");
});
