import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { pathOf } from "../http/routes.ts";
import { normalizeTarget, parseInput } from "./request-input.ts";

function problemOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
  return undefined;
}

describe("request targets", () => {
  test.each([
    ["/v1/%61bc?q=%61", "/v1/abc?q=%61"],
    ["/..%2f", "/..%252f"],
    ["/%2e%2e/", "/../"],
    ["/%00", "/%2500"],
    ["/%zz", "/%25zz"],
    ["/%", "/%25"],
    ["/%E0%A4%A", "/%25E0%25A4%25A"],
    ["/plain", "/plain"],
    ["/a?b%zz", "/a?b%zz"],
    ["/%2525", "/%252525"],
  ])("%s is read as %s", (target, expected) => {
    expect(normalizeTarget(target)).toBe(expected);
  });

  test("a normalized path always decodes, to the same number of segments", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/[%0-9a-fA-F/.?#A-Za-z-]{0,30}$/), (target) => {
        const path = pathOf(normalizeTarget(target));
        const decoded = decodeURIComponent(path);
        expect(decoded.split("/").length).toBe(pathOf(target).split("/").length);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
});

describe("parameters", () => {
  const search = (query: string): unknown => parseInput("searchPlaces", {}, `/v1/places/search${query}`);
  const limit = (query: string): unknown =>
    parseInput("listRevisions", { eventId: "a" }, `/v1/storm-events/a/revisions${query}`);

  test("q is counted in code points and is not trimmed", () => {
    expect(search("?q=%F0%9F%8C%AA%F0%9F%8C%AA")).toEqual({ q: "🌪🌪" });
    expect(problemOf(() => search("?q=%F0%9F%8C%AA"))).toBe("invalid-input");
    expect(search("?q=++")).toEqual({ q: "  " });
    expect(search(`?q=${"a".repeat(160)}`)).toEqual({ q: "a".repeat(160) });
    expect(problemOf(() => search(`?q=${"a".repeat(161)}`))).toBe("invalid-input");
    expect(search(`?q=${"%F0%9F%8C%AA".repeat(160)}`)).toEqual({ q: "🌪".repeat(160) });
  });

  test.each([
    "",
    "?",
    "?q",
    "?q=",
    "?q=a",
    "?Q=norman",
    "?q=norman&q=norman",
    "?q=a&q=norman",
    "?q=%E0%A4%A",
    "?q=%",
  ])("search%s is refused", (query) => {
    expect(problemOf(() => search(query))).toBe("invalid-input");
  });

  test.each([
    "?q=norman&x=1&x=2",
    "?%71=norman",
    "?a=%zz&q=norman",
    "?%zz=1&q=norman",
    "?&&q=norman&",
    "?q=norman#q=x",
  ])("search%s is understood", (query) => {
    expect(search(query)).toEqual({ q: "norman" });
  });

  test("limit is 24 unless given, and from 2 to 360", () => {
    expect(limit("")).toMatchObject({ limit: 24 });
    expect(limit("?limit=2")).toMatchObject({ limit: 2 });
    expect(limit("?limit=360")).toMatchObject({ limit: 360 });
    expect(limit("?limit=024")).toMatchObject({ limit: 24 });
  });

  test.each([
    "1",
    "0",
    "361",
    "",
    "-2",
    "2.5",
    "24.0",
    "1e2",
    "0x10",
    "+24",
    " 24",
    "٢٤",
    "NaN",
    "9".repeat(30),
  ])("limit=%j is refused", (value) => {
    expect(problemOf(() => limit(`?limit=${encodeURIComponent(value)}`))).toBe("invalid-input");
  });

  test("a malformed event id gets 400 for revisions and stream, and 404 elsewhere", () => {
    const eventId = "Bad_Id";
    expect(problemOf(() => parseInput("listRevisions", { eventId }, "/"))).toBe("invalid-input");
    expect(problemOf(() => parseInput("openStream", { eventId }, "/"))).toBe("invalid-input");
    expect(problemOf(() => parseInput("getLatestManifest", { eventId }, "/"))).toBe("not-found");
    const frame = { eventId: "a", productId: "mrms-precip", frameId: "x" };
    expect(problemOf(() => parseInput("getFrame", frame, "/"))).toBe("not-found");
  });
});
