import { describe, expect, test } from "vitest";

import { isLoop, resolveCanonical, type CanonicalTarget } from "./resolve-canonical.ts";

const publicOrigin = "https://brief.example";

function resolve(href: string, path = "/a/b"): CanonicalTarget {
  return resolveCanonical({ href, requestUrl: publicOrigin + path, publicOrigin });
}

describe("a target", () => {
  test.each([
    ["https://brief.example/e/1", "/e/1"],
    ["HTTPS://BRIEF.EXAMPLE:443/e/1", "/e/1"],
    ["//brief.example/e/1", "/e/1"],
    ["/e/1", "/e/1"],
    ["?p=2", "/a/b?p=2"],
    ["../e/1", "/e/1"],
    ["e/1", "/a/e/1"],
    ["c", "/a/c"],
    ["https:c", "/a/c"],
    ["/a/b/", "/a/b/"],
    ["/A/b", "/A/b"],
    ["/a/b?", "/a/b?"],
    ["/a%2fb", "/a%2fb"],
    ["/e/1#part", "/e/1#part"],
    ["  /e/\t1\n\r ", "/e/1"],
    ["/e\n/1", "/e/1"],
    ["/e%0d%0aX: y", "/e%0d%0aX:%20y"],
    ["/日本?q=é", "/%E6%97%A5%E6%9C%AC?q=%C3%A9"],
    ["/<e> \u0001\ud800", "/%3Ce%3E%20%01%EF%BF%BD"],
  ])("is the meaning of %j", (href, path) => {
    expect(resolve(href)).toEqual({ kind: "target", url: publicOrigin + path });
  });

  test("is one line of ASCII", () => {
    for (let code = 0; code < 0x300; code++) {
      const sign = String.fromCharCode(code);
      const target = resolve(`/x${sign}y?${sign}#${sign}`);
      expect(target.kind === "target" && target.url).toMatch(/^https:[!-~]+$/);
    }
  });

  test("keeps the port and the scheme of the public origin", () => {
    const origin = "http://brief.example:8080";
    const link = { requestUrl: `${origin}/a`, publicOrigin: origin };
    expect(resolveCanonical({ ...link, href: "/b" })).toEqual({ kind: "target", url: `${origin}/b` });
    expect(resolveCanonical({ ...link, href: "http://brief.example/b" })).toEqual({ kind: "cross-origin" });
  });
});

test.each([
  ["/a/b", "/a/b"],
  ["https://brief.example:443/a/b", "/a/b"],
  ["https://BRIEF.example/a/b", "/a/b"],
  ["#frag", "/a/b"],
  ["/a/b#frag", "/a/b"],
  ["", "/a/b?p=1"],
  ["", "/a/b?"],
  ["/a/./b", "/a/b"],
  ["/%7euser", "/%7Euser"],
  ["/~user", "/%7euser"],
  ["/caf\u00e9?q=%C3%A9", "/caf%c3%a9?q=%c3%a9"],
  ["?q=%2F", "/a/b?q=%2f"],
])("%j on %j is the page itself", (href, path) => {
  expect(resolve(href, path)).toEqual({ kind: "self" });
});

test.each([
  "https://other.example/x",
  "https://sub.brief.example/x",
  "https://brief.example./x",
  "https://brief.example.evil.example/",
  "http://brief.example/a/b",
  "https://brief.example:8443/a/b",
  "//evil.example/x",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  " //evil.example",
])("%j belongs to another origin", (href) => {
  expect(resolve(href)).toEqual({ kind: "cross-origin" });
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "mailto:a@brief.example",
  "blob:https://brief.example/0",
  "http://[",
  "https://brief.example:99999/",
  "https://user@brief.example/e/1",
  "https://:pw@brief.example/e/1",
  "https://user:pw@brief.example/e/1",
  "https://brief.example:pw@evil.example/",
  `/${"x".repeat(8_000)}`,
])("%j is invalid", (href) => {
  expect(resolve(href)).toEqual({ kind: "invalid" });
});

test("a request that is not under the public origin has no target", () => {
  for (const requestUrl of ["https://other.example/", "http://brief.example/", "/a", ""]) {
    expect(resolveCanonical({ href: "/e/1", requestUrl, publicOrigin })).toEqual({ kind: "invalid" });
  }
});

test("a path with two slashes is not a host", () => {
  expect(resolve("c", "//evil.example/b")).toEqual({
    kind: "target",
    url: "https://brief.example//evil.example/c",
  });
});

describe("a visitor is in a loop", () => {
  const target = "https://brief.example/a?x=%7E";

  test.each(["https://brief.example/a?x=%7E", "HTTPS://brief.EXAMPLE:443/a?x=~#part"])(
    "from %s",
    (referer) => {
      expect(isLoop(referer, target)).toBe(true);
    },
  );

  test.each([
    undefined,
    "",
    "/a?x=%7E",
    "a",
    "https://brief.example/a",
    "https://brief.example/A?x=~",
    "https://brief.example/",
    "http://brief.example/a?x=~",
    "about:blank",
    "http://[",
  ])("not from %s", (referer) => {
    expect(isLoop(referer, target)).toBe(false);
  });
});
