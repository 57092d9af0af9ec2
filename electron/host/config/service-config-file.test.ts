import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { loadConfigFile } from "./config-file.ts";
import { toServiceConfig } from "./service-config-file.ts";
import { defaultServiceConfig } from "./service-config.ts";

const now = new Date("2026-11-20T12:00:00Z");
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "echotop-service-config-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function load(content: unknown) {
  const path = join(directory, "service.json");
  writeFileSync(path, JSON.stringify(content));
  return loadConfigFile(path, now);
}

/** Returns the lines of the refusal. */
function findRefusal(content: unknown): readonly string[] {
  try {
    load(content);
  } catch (error) {
    if (error instanceof AppError) return error.message.split("\n");
    throw error;
  }
  return [];
}

test("every key of a service is read", () => {
  const file = load({
    catalog: { url: "postgres://db1,db2:5433/echotop?sslmode=verify-full" },
    objects: { url: "s3://bucket/prefix", endpoint: "https://s3.example:9000", path_style: true },
    roles: ["reader", "gateway"],
    public_origin: "https://wx.example",
    trusted_proxies: ["10.0.0.0/24"],
    admin: { port: 47_809 },
    drain_seconds: 30,
    log: { format: "json" },
  });
  expect(toServiceConfig(file)).toEqual({
    stores: {
      catalogUrl: "postgres://db1,db2:5433/echotop?sslmode=verify-full",
      objects: { url: "s3://bucket/prefix", endpoint: "https://s3.example:9000", pathStyle: true },
    },
    roles: new Set(["reader", "gateway"]),
    publicOrigin: "https://wx.example",
    isPublic: false,
    trustedProxies: ["10.0.0.0/24"],
    admin: { address: "127.0.0.1", port: 47_809 },
    drainMs: 30_000,
  });
});

test.each([
  ["0:0:0:0:0:0:0:1", "::1"],
  ["::ffff:10.0.0.5", "10.0.0.5"],
])("the admin address %s is %s", (given, address) => {
  expect(toServiceConfig(load({ admin: { port: 1, address: given } })).admin).toEqual({ address, port: 1 });
});

test.each(["0.0.0.0", "::", "0:0:0:0:0:0:0:0", "::0", "::ffff:0.0.0.0", "::ffff:0:0"])(
  "every address, as %s, is not an admin address",
  (address) => {
    const [line] = findRefusal({ admin: { port: 1, address } });
    expect(line).toMatch(/at admin\.address: Not one address/);
  },
);

test("without these keys, one process runs every part on a directory", () => {
  expect(toServiceConfig(load({}))).toEqual(defaultServiceConfig);
  expect(toServiceConfig(load({ roles: ["all"] }))).toEqual(defaultServiceConfig);
});

test("objects may be in a folder that all machines share", () => {
  const objects = { url: "file:///srv/echotop" };
  const { stores } = toServiceConfig(load({ catalog: { url: "postgres://db/echotop" }, objects }));
  expect(stores?.objects.url).toBe("file:///srv/echotop");
});

test("a null endpoint is that of AWS", () => {
  const objects = { url: "s3://bucket", endpoint: null };
  const { stores } = toServiceConfig(load({ catalog: { url: "postgresql://echotop@db/echotop" }, objects }));
  expect(stores?.objects).toEqual({ url: "s3://bucket", endpoint: undefined, pathStyle: false });
});

const bucket = { url: "s3://bucket" };
const database = { url: "postgres://db/echotop" };

test.each([
  ["a password", { catalog: { url: "postgres://u:s3cr3t@db/e" } }, /at catalog\.url: .*PGPASSWORD/],
  [
    "a password with a slash",
    { catalog: { url: "postgres://u:s3cr3t/x@db/e" } },
    /catalog\.url: .*PGPASSWORD/,
  ],
  [
    "a password in the query",
    { catalog: { url: "postgres://db/e?password=s3cr3t" } },
    /catalog\.url: .*PGPASSWORD/,
  ],
  [
    "an address of no database",
    { catalog: { url: "mysql://db/s3cr3t" } },
    /at catalog\.url: .*such as postgres:/,
  ],
  [
    "a database without a name",
    { catalog: { url: "postgres://db" } },
    /at catalog\.url: .*such as postgres:/,
  ],
  [
    "a key in a bucket's address",
    { objects: { url: "s3://id:s3cr3t@bucket/" } },
    /objects\.url: .*AWS_SECRET_ACCESS_KEY/,
  ],
  [
    "a bucket on the web",
    { objects: { url: "https://s3cr3t.example/bucket" } },
    /at objects\.url: .*such as s3:/,
  ],
  [
    "a folder of another machine",
    { objects: { url: "file://s3cr3t/srv" } },
    /at objects\.url: .*such as file:/,
  ],
  ["a root folder", { objects: { url: "file:///" } }, /at objects\.url: .*such as file:/],
  [
    "a key in an endpoint",
    { objects: { ...bucket, endpoint: "https://id:s3cr3t@s3.example" } },
    /objects\.endpoint: .*without/,
  ],
  ["a catalog without objects", { catalog: database }, /at objects: .*required/],
  ["objects without a catalog", { objects: bucket }, /at catalog: .*required/],
  ["an unknown role", { roles: ["writer"] }, /at roles\.0: .*"reader"/],
  ["no role", { roles: [] }, /at roles: .*leave the key out/],
  ["a worker on a directory", { roles: ["reader", "worker"] }, /at roles: worker needs a catalog/],
  ["a public feed", { public: true, roles: ["reader", "feed"] }, /at roles: .*public/],
  ["a public service with every role", { public: true }, /at roles: .*public/],
  ["a public origin without TLS", { public_origin: "http://wx.example" }, /at public_origin: .*https/],
  [
    "a public origin with a path",
    { public_origin: "https://wx.example/" },
    /at public_origin: .*without a path/,
  ],
  ["a public origin in capitals", { public_origin: "https://WX.example" }, /at public_origin: .*lower case/],
  ["a public origin with its usual port", { public_origin: "https://wx.example:443" }, /at public_origin/],
  ["a proxy that is no range", { trusted_proxies: ["10.0.0.1"] }, /at trusted_proxies\.0: .*10\.0\.0\.0\/8/],
  ["an admin port beyond the last", { admin: { port: 65_536 } }, /at admin\.port/],
  ["an admin address by name", { admin: { port: 1, address: "localhost" } }, /at admin\.address/],
  ["a drain of days", { drain_seconds: 100_000 }, /at drain_seconds/],
  ["an unknown form of the log", { log: { format: "xml" } }, /at log\.format: .*"json"/],
  ["an unknown key", { drain: 1 }, /"drain"; correct or remove it/],
  ["an unknown key of the objects", { objects: { ...bucket, key: "s3cr3t" } }, /at objects: .*"key"/],
])("%s is refused in one line that names the key and repeats no value", (_what, content, line) => {
  const lines = findRefusal(content);
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(lines[0]).not.toContain("s3cr3t");
});

test("each invalid key has a line", () => {
  const lines = findRefusal({ drain_seconds: -1, public_origin: "wx.example", log: {} });
  expect(lines.map((line) => /^service\.json at ([\w.]+):/.exec(line)?.[1]).toSorted()).toEqual([
    "drain_seconds",
    "log.format",
    "public_origin",
  ]);
});
