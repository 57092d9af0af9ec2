import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { isAppError } from "../../../shared/app-error.ts";
import { loadConfigFile } from "./config-file.ts";
import { toDefaultGatewayConfig, type GatewayConfig } from "./host-config.ts";
import { GatewaySection, toGatewayConfig } from "./gateway-config-file.ts";

const now = new Date("2026-11-20T12:00:00Z");
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "echotop-gateway-config-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const botsFile = "/assets/bots.json";
const briefingsDirectory = "/data/briefings";

function read(gateway: unknown): GatewayConfig {
  const path = join(directory, "echotop.json");
  writeFileSync(path, JSON.stringify({ gateway }));
  const file = loadConfigFile(path, now);
  return toGatewayConfig(file.gateway, { folder: directory, briefingsDirectory, botsFile });
}

const zone = {
  id: "z1",
  hosts: ["brief.example"],
  public_origin: "https://brief.example",
  origin: "http://127.0.0.1:9000",
};
const read1 = (difference: Record<string, unknown>) => read({ zones: [{ ...zone, ...difference }] });

test("without the section the gateway is off", () => {
  const places = { folder: directory, briefingsDirectory, botsFile };
  expect(toGatewayConfig(undefined, places)).toEqual(toDefaultGatewayConfig(botsFile));
});

test("an empty section switches it on with defaults", () => {
  expect(read({})).toEqual({ ...toDefaultGatewayConfig(botsFile), isOn: true });
});

test("all keys of the section are read; names become lower case, and origins normalized", () => {
  const config = read({
    port: 0,
    trusted_proxies: ["10.0.0.0/8", "::1/128"],
    bots: "own/bots.json",
    dns_servers: ["127.0.0.1:5353", "[::1]:53"],
    log: { keep_days: 7, push: { url: "http://127.0.0.1:9/in", interval_seconds: 2 } },
    zones: [
      {
        id: "z1",
        hosts: ["Brief.Example.", "127.0.0.1", "[::1]"],
        public_origin: "HTTPS://Brief.Example:443/",
        plan: "pro",
        custom_metadata: false,
        origin: "http://127.0.0.1:9000/",
        custom_hostnames: [
          { id: "ch1", hostname: "Docs.brief.example" },
          { id: "ch2", hostname: "*.wild.example" },
        ],
        single_redirects: [
          {
            expression: 'http.request.uri.path eq "/old"',
            target_url: "https://brief.example/new",
            status_code: 302,
          },
        ],
        bulk_redirects: [{ source_url: "brief.example/b", target_url: "https://brief.example/c" }],
      },
      { id: "z2", hosts: ["b.example"], public_origin: "http://b.example:8080", origin: "briefings" },
    ],
  });
  expect(config).toEqual({
    isOn: true,
    port: 0,
    trustedProxies: ["10.0.0.0/8", "::1/128"],
    botsFile: join(directory, "own", "bots.json"),
    dnsServers: ["127.0.0.1:5353", "[::1]:53"],
    log: { keepDays: 7, push: { url: "http://127.0.0.1:9/in", intervalMs: 2_000 } },
    zones: [
      {
        id: "z1",
        hosts: ["brief.example", "127.0.0.1", "[::1]"],
        publicOrigin: "https://brief.example",
        plan: "pro",
        customMetadata: false,
        origin: { kind: "http", url: "http://127.0.0.1:9000" },
        customHostnames: [
          { id: "ch1", hostname: "docs.brief.example" },
          { id: "ch2", hostname: "*.wild.example" },
        ],
        singleRedirects: [
          {
            expression: 'http.request.uri.path eq "/old"',
            targetUrl: "https://brief.example/new",
            statusCode: 302,
          },
        ],
        bulkRedirects: [
          { sourceUrl: "brief.example/b", targetUrl: "https://brief.example/c", statusCode: 301 },
        ],
      },
      {
        id: "z2",
        hosts: ["b.example"],
        publicOrigin: "http://b.example:8080",
        plan: "enterprise",
        customMetadata: true,
        origin: { kind: "briefings", directory: briefingsDirectory },
        customHostnames: [],
        singleRedirects: [],
        bulkRedirects: [],
      },
    ],
  });
});

test("a push of null means no push", () => {
  expect(read({ log: { push: null } }).log).toEqual({ keepDays: 30, push: undefined });
});

const second = { ...zone, id: "z2", hosts: ["b.example"] };
const target = "https://brief.example/new";
const redirect = (difference: Record<string, unknown>) => ({
  single_redirects: [{ expression: "ssl", target_url: target, status_code: 301, ...difference }],
});
const bulk = (difference: Record<string, unknown>) => ({
  bulk_redirects: [{ source_url: "brief.example/a", target_url: target, ...difference }],
});

test.each<[string, unknown, RegExp]>([
  ["an unknown key", { prot: 1 }, /at gateway: .*prot/],
  ["a port above 65535", { port: 65_536 }, /at gateway\.port/],
  [
    "a proxy that is not a range",
    { trusted_proxies: ["10.0.0.1"] },
    /at gateway\.trusted_proxies\.0: .*range/,
  ],
  ["a DNS server without a port", { dns_servers: ["127.0.0.1"] }, /at gateway\.dns_servers\.0: .*port/],
  ["a DNS server by name", { dns_servers: ["dns.example:53"] }, /at gateway\.dns_servers\.0: .*address/],
  ["a DNS server at port 0", { dns_servers: ["127.0.0.1:0"] }, /at gateway\.dns_servers\.0/],
  ["a directory without a name", { bots: "" }, /at gateway\.bots/],
  ["days that keep nothing", { log: { keep_days: 0 } }, /at gateway\.log\.keep_days/],
  ["an unknown key of the log", { log: { days: 1 } }, /at gateway\.log: .*days/],
  ["a push to a URL other than HTTP", { log: { push: { url: "ftp://a/" } } }, /at gateway\.log\.push\.url/],
  [
    "a push without a pause",
    { log: { push: { url: "http://a/", interval_seconds: 0 } } },
    /at gateway\.log\.push\.interval_seconds/,
  ],
  ["a section without zones in its list", { zones: [] }, /at gateway\.zones/],
  ["a zone that is repeated", { zones: [zone, { ...second, id: "z1" }] }, /at gateway\.zones\.1\.id: "z1"/],
  [
    "a host of two zones in any case",
    { zones: [zone, { ...second, hosts: ["BRIEF.example."] }] },
    /at gateway\.zones\.1\.hosts\.0: "brief\.example" is repeated/,
  ],
  [
    "a custom hostname that is a host elsewhere",
    { zones: [zone, { ...second, custom_hostnames: [{ id: "a", hostname: "brief.example" }] }] },
    /at gateway\.zones\.1\.custom_hostnames\.0\.hostname: "brief\.example" is repeated/,
  ],
])("%s is refused by name", (_what, gateway, message) => {
  expectRefusal(() => read(gateway), message);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["an unknown key", { host: "a" }, /at gateway\.zones\.0: .*host/],
  ["an id with a slash", { id: "a/b" }, /at gateway\.zones\.0\.id/],
  ["no host", { hosts: [] }, /at gateway\.zones\.0\.hosts/],
  ["a host with a port", { hosts: ["brief.example:80"] }, /at gateway\.zones\.0\.hosts\.0: .*host/],
  ["a host with a wildcard", { hosts: ["*.brief.example"] }, /at gateway\.zones\.0\.hosts\.0/],
  ["a public origin with a path", { public_origin: "https://a.example/b" }, /zones\.0\.public_origin/],
  ["a public origin with a user", { public_origin: "https://u@a.example" }, /zones\.0\.public_origin/],
  ["a public origin with a query", { public_origin: "https://a.example?" }, /zones\.0\.public_origin/],
  ["a public origin of another scheme", { public_origin: "ftp://a.example" }, /zones\.0\.public_origin/],
  ["an unknown plan", { plan: "gold" }, /at gateway\.zones\.0\.plan/],
  ["an invalid origin", { origin: "/srv/pages" }, /at gateway\.zones\.0\.origin: Neither "briefings"/],
  ["an origin with a path", { origin: "http://127.0.0.1/a" }, /at gateway\.zones\.0\.origin/],
  [
    "a custom hostname's id twice",
    {
      custom_hostnames: [
        { id: "a", hostname: "x.example" },
        { id: "a", hostname: "y.example" },
      ],
    },
    /at gateway\.zones\.0\.custom_hostnames\.1\.id: "a" is repeated/,
  ],
  [
    "a wildcard in the middle",
    { custom_hostnames: [{ id: "a", hostname: "x.*.example" }] },
    /at gateway\.zones\.0\.custom_hostnames\.0\.hostname/,
  ],
  [
    "an expression that does not parse",
    redirect({ expression: "http.host eq" }),
    /at gateway\.zones\.0\.single_redirects\.0\.expression: Filter parsing error \(1:\d+\):\nhttp\.host eq\n/,
  ],
  ["a target without a scheme", redirect({ target_url: "/new" }), /single_redirects\.0\.target_url/],
  ["a status that is not a redirect", redirect({ status_code: 200 }), /single_redirects\.0\.status_code/],
  [
    "a source that is not an address",
    bulk({ source_url: "a b" }),
    /at gateway\.zones\.0\.bulk_redirects\.0\.source_url/,
  ],
  ["a target of another scheme", bulk({ target_url: "javascript:1" }), /bulk_redirects\.0\.target_url/],
])("%s of a zone is refused by name", (_what, difference, message) => {
  expectRefusal(() => read1(difference), message);
});

function expectRefusal(work: () => unknown, message: RegExp): void {
  let thrown: unknown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  expect(isAppError(thrown, "invalid-input")).toBe(true);
  expect((thrown as Error).message).toMatch(message);
  expect((thrown as Error).message).not.toContain(directory);
}

test("the gateway's README documents every key of the section", () => {
  const readme = readFileSync(new URL("../../services/gateway/README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").filter((line) => line.startsWith("|"));
  const keys = listKeys(z.toJSONSchema(GatewaySection, { unrepresentable: "any" }));
  expect(keys).toEqual(
    expect.arrayContaining(["trusted_proxies", "keep_days", "single_redirects", "target_url"]),
  );
  const isDocumented = (key: string): boolean => rows.some((row) => new RegExp(`["\`]${key}["\`]`).test(row));
  expect(keys.filter((key) => !isDocumented(key))).toEqual([]);
});

/** Returns the keys of all objects in a JSON schema, at any depth. */
function listKeys(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(listKeys)].filter(
    (key, at, all) => all.indexOf(key) === at,
  );
}
