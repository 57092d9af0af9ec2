import { describe, expect, test } from "vitest";
import { createGuard } from "./guard.ts";

const guard = createGuard({ hosts: ["127.0.0.1:47800", "localhost:47800"] });
const host = "127.0.0.1:47800";

describe("guard", () => {
  test("serves a program that sends only our Host", () => {
    expect(guard.judge({ method: "GET", url: "/v1/storm-events", headers: { host } })).toBeUndefined();
    expect(guard.judge({ method: "GET", url: "/", headers: { host: "localhost:47800" } })).toBeUndefined();
  });

  test.each([
    undefined,
    "",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:47800.",
    "evil.example:47800",
    "127.0.0.1:47800, 127.0.0.1:47800",
    "127.0.0.1:47800@evil.example",
    "[::1]:47800",
    " 127.0.0.1:47800",
  ])("Host %j is refused with 421", (value) => {
    const headers = value === undefined ? {} : { host: value };
    expect(guard.judge({ method: "GET", url: "/", headers })?.status).toBe(421);
  });

  test.each([
    "http://evil.example",
    "null",
    "https://127.0.0.1:47800",
    "http://127.0.0.1",
    "http://127.0.0.1:47800/",
    "http://127.0.0.1:47800, http://127.0.0.1:47800",
    "",
  ])("Origin %j is refused with 403", (origin) => {
    expect(guard.judge({ method: "GET", url: "/", headers: { host, origin } })?.status).toBe(403);
  });

  test("accepts our own Origin under each of our names", () => {
    expect(
      guard.judge({ method: "GET", url: "/", headers: { host, origin: "http://localhost:47800" } }),
    ).toBeUndefined();
  });

  test("reports a bad Host before a bad Origin", () => {
    const headers = { host: "evil.example", origin: "http://evil.example" };
    expect(guard.judge({ method: "GET", url: "/", headers })?.status).toBe(421);
  });

  test.each(["cross-site", "same-site", "nonsense"])("Sec-Fetch-Site %s is refused", (site) => {
    const headers = { host, "sec-fetch-site": site };
    expect(guard.judge({ method: "GET", url: "/v1/storm-events", headers })?.status).toBe(403);
    expect(guard.judge({ method: "GET", url: "/", headers })?.status).toBe(403);
  });

  test.each(["same-origin", "none"])("Sec-Fetch-Site %s passes", (site) => {
    expect(
      guard.judge({ method: "GET", url: "/v1/storm-events", headers: { host, "sec-fetch-site": site } }),
    ).toBeUndefined();
  });

  test("a link from another site opens the viewer's page and nothing else", () => {
    const headers = {
      host,
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect(guard.judge({ method: "GET", url: "/", headers })).toBeUndefined();
    expect(guard.judge({ method: "GET", url: "/?event=a", headers })).toBeUndefined();
    expect(guard.judge({ method: "GET", url: "/v1/storm-events", headers })?.status).toBe(403);
    expect(guard.judge({ method: "POST", url: "/", headers })?.status).toBe(403);
    expect(
      guard.judge({ method: "GET", url: "/", headers: { ...headers, "sec-fetch-dest": "iframe" } })?.status,
    ).toBe(403);
    expect(
      guard.judge({ method: "GET", url: "/", headers: { ...headers, origin: "http://evil.example" } })
        ?.status,
    ).toBe(403);
  });
});

describe("guard of a service behind a proxy", () => {
  const publicHost = "wx.example";
  const publicOrigin = "https://wx.example";
  const behindProxy = createGuard({ hosts: ["127.0.0.1:47800"], publicOrigin });
  const judge = (headers: Record<string, string>) =>
    behindProxy.judge({ method: "GET", url: "/v1/x", headers });

  test("accepts the public host with the public origin or none, and loopback as before", () => {
    expect(judge({ host: publicHost })).toBeUndefined();
    expect(
      judge({ host: publicHost, origin: publicOrigin, "sec-fetch-site": "same-origin" }),
    ).toBeUndefined();
    expect(judge({ host })).toBeUndefined();
    expect(judge({ host, origin: "http://127.0.0.1:47800" })).toBeUndefined();
  });

  test.each([
    "http://wx.example",
    "https://wx.example:8443",
    "https://wx.example/",
    "https://WX.example",
    "https://wx.example.evil",
    "https://evil.example",
    "http://127.0.0.1:47800",
    "null",
    "https://wx.example, https://wx.example",
  ])("refuses origin %j at the public host", (origin) => {
    expect(judge({ host: publicHost, origin })?.status).toBe(403);
  });

  test.each([
    "wx.example:443",
    "wx.example:80",
    "WX.example",
    "a.wx.example",
    "wx.example.",
    "wx.example, wx.example",
  ])("refuses Host %j", (other) => {
    expect(judge({ host: other })?.status).toBe(421);
  });

  test("refuses the public page at loopback, and cross-site requests", () => {
    expect(judge({ host, origin: publicOrigin })?.status).toBe(403);
    expect(judge({ host: publicHost, "sec-fetch-site": "cross-site" })?.status).toBe(403);
  });

  test("without a public origin, no such name is ours", () => {
    expect(guard.judge({ method: "GET", url: "/", headers: { host: "undefined" } })?.status).toBe(421);
    expect(guard.judge({ method: "GET", url: "/", headers: { host: publicHost } })?.status).toBe(421);
  });
});

test("a public service is read by every page, and answers to its own names only", () => {
  const open = createGuard({ hosts: [host], publicOrigin: "https://wx.example", isOpen: true });
  const judge = (headers: Record<string, string>) => open.judge({ method: "GET", url: "/v1/x", headers });
  const foreign = { origin: "https://news.example", "sec-fetch-site": "cross-site" };
  expect(judge({ host: "wx.example", ...foreign })).toBeUndefined();
  expect(judge({ host, ...foreign })).toBeUndefined();
  expect(judge({ host: "news.example", ...foreign })?.status).toBe(421);
});
