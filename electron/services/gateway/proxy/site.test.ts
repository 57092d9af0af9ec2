import { describe, expect, test } from "vitest";
import { createSites } from "./site.ts";
import { testZone } from "../support/test-gateway.ts";

const origin = { kind: "http", url: "http://127.0.0.1:1" } as const;

describe("the zone of a host", () => {
  const sites = createSites([
    testZone(origin),
    testZone(origin, {
      id: "z2",
      hosts: ["127.0.0.1", "localhost", "[::1]"],
      publicOrigin: "http://127.0.0.1:47802",
      customHostnames: [{ id: "deep", hostname: "*.a.wild.example" }],
    }),
  ]);

  test.each([
    ["brief.example", "z1", "https://brief.example"],
    ["BRIEF.example.:8080", "z1", "https://brief.example"],
    ["docs.brief.example", "z1", "https://docs.brief.example"],
    ["weather.customer.example", "z1", "https://weather.customer.example"],
    ["x.y.wild.example:1", "z1", "https://x.y.wild.example"],
    ["x.a.wild.example", "z2", "http://x.a.wild.example"],
    ["127.0.0.1:9", "z2", "http://127.0.0.1:47802"],
    ["localhost", "z2", "http://localhost"],
    ["[::1]:47802", "z2", "http://[::1]"],
  ])("%s belongs to %s, known as %s", (text, zone, publicOrigin) => {
    const site = sites.find(text);
    expect([site?.zone.id, site?.publicOrigin]).toEqual([zone, publicOrigin]);
    expect(sites.find(text)).toBe(site);
  });

  test.each([
    ...[
      "",
      ".",
      "other.example",
      "brief.example.evil",
      "evil-brief.example",
      "wild.example",
      ".wild.example",
    ],
    ...["user@brief.example", "brief.example/x", "brief.example:80:80", "brief.example:x", "brief.example,"],
    ...["brief.example..", "http://brief.example", "[::1", "constructor"],
    ...[
      "a%2fb.wild.example",
      'a"b.wild.example',
      "a,b.wild.example",
      "\u00ad.wild.example",
      "..wild.example",
    ],
    ...[`${"n".repeat(300)}.wild.example`],
  ])("%j belongs to none", (text) => {
    expect(sites.find(text)).toBeUndefined();
  });

  test("names are found even beyond the size of the cache", () => {
    for (let name = 0; name < 3_000; name += 1)
      expect(sites.find(`n${name}.wild.example`)?.host).toBe(`n${name}.wild.example`);
    expect(sites.find("brief.example")?.zone.id).toBe("z1");
  });
});
