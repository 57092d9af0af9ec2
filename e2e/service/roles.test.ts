// Each role starts its own part, and no other.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";

let directory: string;
let host: RunningHost | undefined;
beforeEach(() => {
  directory = makeTemporaryDirectory("roles");
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  removeDirectory(directory);
});

/** Writes a configuration with every part, of which the process runs only those of its roles. */
function writeConfig(roles: readonly string[]): string {
  const path = join(directory, "service.json");
  const parts = { repositories: { port: 0 }, gateway: { port: 0 }, admin: { port: 0 } };
  writeFileSync(path, JSON.stringify({ ...parts, roles }));
  return path;
}

test.each([
  [["reader"], { storm: true, api: false, gateway: false }],
  [["hosting"], { storm: false, api: true, gateway: false }],
  [["gateway"], { storm: false, api: true, gateway: true }],
  [["feed"], { storm: false, api: false, gateway: false }],
  [["all"], { storm: true, api: true, gateway: true }],
])("%j", async (roles, expected) => {
  host = await startHost(join(directory, "data"), ["--config", writeConfig(roles)]);
  const { api, gateway, admin } = host;
  const storm = host.origin as string | null;
  expect({ storm: storm !== null, api: api !== null, gateway: gateway !== null }).toEqual(expected);
  const metrics = await (await fetch(`${admin!}/metrics`)).text();
  expect(metrics).toContain("echotop_catalog_up 1");
});

test("hosting of a service needs a folder that stays", async () => {
  const path = join(directory, "service.json");
  const stores = { catalog: { url: "postgres://127.0.0.1:1/none" }, objects: { url: "file:///nowhere" } };
  writeFileSync(path, JSON.stringify({ ...stores, repositories: { port: 0 }, roles: ["hosting"] }));
  const { status, stderr } = await runCommand(["serve", "--no-open", "--port", "0", "--config", path]);
  const line = "echotop: Hosting of a service needs --data: the folder of its repositories.\n";
  expect([status, stderr]).toEqual([2, line]);
});

test("a feed needs its role", async () => {
  const args = ["--data", join(directory, "data"), "--config", writeConfig(["reader"]), "--feed", "noaa"];
  const { status, stderr } = await runCommand(["serve", "--no-open", "--port", "0", ...args]);
  expect([status, stderr]).toEqual([2, 'echotop: --feed needs the role "feed" in the configuration file.\n']);
});
