// The redirect that a request gets, and its target.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExpressionError } from "../rules/expression-error.ts";
import { someRequest } from "../support/some-request.ts";
import type { BulkRedirect, SingleRedirect } from "../zone.ts";
import { createRedirects } from "./create-redirects.ts";

const publicOrigin = "https://brief.example";
const single = (
  expression: string,
  targetUrl: string,
  more: Partial<SingleRedirect> = {},
): SingleRedirect => ({
  expression,
  targetUrl,
  statusCode: 302,
  ...more,
});
const bulk = (sourceUrl: string, targetUrl = "https://brief.example/new"): BulkRedirect => ({
  sourceUrl,
  targetUrl,
  statusCode: 301,
});

function findFor(
  { singles = [], bulks = [] }: { singles?: readonly SingleRedirect[]; bulks?: readonly BulkRedirect[] },
  target: string,
  origin = publicOrigin,
) {
  const [path = "", ...queries] = target.split("?");
  const redirects = createRedirects({ singleRedirects: singles, bulkRedirects: bulks, publicOrigin });
  const fields = someRequest({ host: new URL(origin).hostname, path, query: queries.join("?") });
  return redirects.find(fields, origin + target);
}

describe("single redirects", () => {
  const singles = [
    single('starts_with(http.request.uri.path, "/old/")', "https://brief.example/first", { statusCode: 308 }),
    single('http.request.uri.path eq "/old/1"', "https://brief.example/second"),
    single('http.host eq "docs.example"', "/e/1?x=1#y"),
  ];

  test("the first match decides", () => {
    expect(findFor({ singles }, "/old/1")).toEqual({
      reason: "single_redirect",
      location: "https://brief.example/first",
      status: 308,
    });
    expect(findFor({ singles }, "/new")).toBeUndefined();
  });

  test("run before bulk redirects", () => {
    const bulks = [bulk("brief.example/old/1"), bulk("brief.example/other")];
    expect(findFor({ singles, bulks }, "/old/1")?.reason).toBe("single_redirect");
    expect(findFor({ singles, bulks }, "/other")?.reason).toBe("bulk_redirect");
  });

  test("lead to the requested host if their target names none", () => {
    const found = findFor({ singles }, "/a/b?c", "https://docs.example");
    expect(found?.location).toBe("https://docs.example/e/1?x=1#y");
  });

  test("need the verdict if one of them does", () => {
    const asks = (expression: string) =>
      createRedirects({
        singleRedirects: [...singles, single(expression, "/")],
        bulkRedirects: [],
        publicOrigin,
      }).asksForBots;
    expect([asks("ssl"), asks("cf.client.bot")]).toEqual([false, true]);
  });

  test("that do not compile are refused", () => {
    expect(() => findFor({ singles: [single("http.host eq", "/")] }, "/")).toThrow(ExpressionError);
  });
});

describe("bulk redirects", () => {
  test.each([
    ["https://brief.example/a", "/a", true],
    ["brief.example/a", "/a", true],
    ["http://brief.example/a", "/a", false],
    ["https://BRIEF.Example/a", "/a", true],
    ["https://other.example/a", "/a", false],
    ["https://brief.example/a", "/A", false],
    ["https://brief.example/a", "/a/", false],
    ["https://brief.example/a", "/b/../a", false],
    ["https://brief.example/a", "/a?q=1", true],
    ["https://brief.example/a?q=1", "/a?q=1", true],
    ["https://brief.example/a?q=1", "/a", false],
    ["https://brief.example/a?q=1", "/a?q=1&r", false],
    ["https://brief.example/a?", "/a", true],
    ["https://brief.example/a?", "/a?q", false],
    ["https://brief.example/a#x?y", "/a?q", true],
    ["https://brief.example", "/", true],
    ["brief.example", "/?q", true],
    ["https://brief.example:443/a", "/a", true],
    ["brief.example:80/a", "/a", true],
    ["https://brief.example:8443/a", "/a", false],
    ["https://brief.example/für", "/f%C3%BCr", true],
  ])("%s is for %s: %s", (source, target, expected) => {
    expect(findFor({ bulks: [bulk(source)] }, target) !== undefined).toBe(expected);
  });

  test("are distinguished by the port of the public origin", () => {
    const origin = "https://brief.example:8443";
    expect(findFor({ bulks: [bulk("brief.example/a")] }, "/a", origin)).toBeUndefined();
    expect(findFor({ bulks: [bulk("brief.example:8443/a")] }, "/a", origin)?.reason).toBe("bulk_redirect");
  });

  test("the first of a list decides, even for sources of one path", () => {
    const bulks = [
      bulk("brief.example/a?q=1", "https://brief.example/1"),
      bulk("brief.example/a", "https://brief.example/2"),
      bulk("https://brief.example/a", "https://brief.example/3"),
    ];
    expect(findFor({ bulks }, "/a?q=1")?.location).toBe("https://brief.example/1");
    expect(findFor({ bulks }, "/a?q=2")?.location).toBe("https://brief.example/2");
  });

  test.each(["", "https://", "https://user@brief.example/a", "https://[x/"])(
    "%j is not a source",
    (source) => {
      expect(() => findFor({ bulks: [bulk(source)] }, "/")).toThrow(/not a web address/);
    },
  );
});

describe("a target", () => {
  test.each(["javascript:alert(1)", "data:,x", "http://[", "mailto:a@b.example", "https://"])(
    "is not %s",
    (target) => {
      expect(() => findFor({ singles: [single("true", target)] }, "/")).toThrow(/not a web address/);
      expect(() => findFor({ bulks: [bulk("brief.example", target)] }, "/")).toThrow(/not a web address/);
    },
  );

  test("is one clean absolute line for any target and request", () => {
    const piece = fc.string({
      unit: fc.constantFrom("/", "\\", "a", "é", "\r", "\n", "\t", " ", "%0d", "?", "#", ":", '"'),
    });
    fc.assert(
      fc.property(piece, piece, (target, asked) => {
        fc.pre(/^https?:$/.test(URL.parse(target, publicOrigin)?.protocol ?? ""));
        const found = findFor({ singles: [single("true", target)] }, `/${asked}`);
        expect(found?.location).toMatch(/^https?:\/\/[!-~]+$/);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });
});
