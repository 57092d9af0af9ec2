import { describe, expect, test } from "vitest";
import { createGuard } from "./guard.ts";

const guard = createGuard(["127.0.0.1:47800", "localhost:47800"]);
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
