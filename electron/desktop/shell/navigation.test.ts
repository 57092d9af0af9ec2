import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { externalHosts, isOwnOrigin, isRequestAllowed, judgeNavigation } from "./navigation.ts";

const own = "http://127.0.0.1:47800";

describe("navigation", () => {
  test("stays within our own origin, for any path", () => {
    expect(judgeNavigation(`${own}/v1/openapi.json?x=1#y`, own)).toBe("allow");
  });

  test.each([
    ["a name that begins like our address", "http://127.0.0.1:47800.example/"],
    ["our address as a user name", "http://127.0.0.1:47800@example.com/"],
    ["another port of this machine", "http://127.0.0.1:47801/"],
    ["another name of this machine", "http://localhost:47800/"],
    ["our address under another scheme", "https://127.0.0.1:47800/"],
    ["a file", "file:///etc/passwd"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,<p>hello</p>"],
    ["a listed site without encryption", "http://www.weather.gov/"],
    ["a listed site on another port", "https://www.weather.gov:8443/"],
    ["a listed site with credentials", "https://user:secret@www.weather.gov/"],
    ["a site that ends like a listed one", "https://evil-www.weather.gov/"],
    ["a site below a listed one", "https://x.www.weather.gov/"],
    ["nonsense", "not a URL"],
    ["nothing", ""],
  ])("refuses %s", (_what, url) => {
    expect(judgeNavigation(url, own)).toBe("deny");
  });

  test.each([...externalHosts])("opens https links to %s in the system's browser", (host) => {
    expect(judgeNavigation(`https://${host}/some/page`, own)).toBe("open-externally");
  });

  test("never treats two opaque origins as the same", () => {
    expect(isOwnOrigin("file:///a", "null")).toBe(false);
    expect(isOwnOrigin("data:text/plain,a", "null")).toBe(false);
  });

  test("allows no URL of another host", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        expect(judgeNavigation(url, own)).not.toBe("allow");
      }),
      { seed: 20_260_731, numRuns: 200 },
    );
  });
});

describe("requests", () => {
  test.each([
    `${own}/v1/storm-events`,
    "ws://127.0.0.1:47800/v1/storm-events/a/stream",
    `blob:${own}/5b1c`,
    "data:image/png;base64,AAAA",
  ])("lets %s through", (url) => {
    expect(isRequestAllowed(url, own, false)).toBe(true);
  });

  test.each([
    "https://example.com/pixel.png",
    "ws://127.0.0.1:47801/v1/storm-events/a/stream",
    "blob:https://example.com/5b1c",
    "file:///etc/passwd",
    "chrome-extension://abc/x.js",
    "http://127.0.0.1:47801/",
    "nonsense",
  ])("cancels %s", (url) => {
    expect(isRequestAllowed(url, own, true)).toBe(false);
  });

  test("lets developer tools load only in a checkout", () => {
    const url = "devtools://devtools/bundled/inspector.html";
    expect(isRequestAllowed(url, own, true)).toBe(true);
    expect(isRequestAllowed(url, own, false)).toBe(false);
  });
});
