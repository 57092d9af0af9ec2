import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { defaultApiConfig } from "./host-config.ts";
import { publicPresetAddresses } from "../../sources/overlays/presets.ts";
import { loadConfigFile, toApiConfig, toFeedTiming, toPresetAddresses } from "./config-file.ts";

const now = new Date("2026-11-20T12:00:00Z");
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "echotop-config-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(text: string): string {
  const path = join(directory, "echotop.json");
  writeFileSync(path, text);
  return path;
}

test("a configuration file with known keys is read", () => {
  const path = write('{"places":{"upstream":"http://127.0.0.1:8080/"}}');
  expect(loadConfigFile(path, now)).toEqual({ places: { upstream: "http://127.0.0.1:8080/" } });
});

test("a preset's service can be another one, with or without a slash at the end", () => {
  const { overlays } = loadConfigFile(write('{"overlays":{"iem":"http://127.0.0.1:8080/iem/"}}'), now);
  expect(toPresetAddresses(overlays)).toEqual({
    ...publicPresetAddresses,
    iem: "http://127.0.0.1:8080/iem",
  });
  expect(toPresetAddresses(undefined)).toBe(publicPresetAddresses);
});

test.each([
  ["an unknown key", '{"plaices":{}}', /plaices/],
  ["an unknown inner key", '{"places":{"upstream":"http://x/","speed":1}}', /at places: .*speed/],
  ["a feed key that is unknown", '{"feed":{"poll_secs":1}}', /at feed: .*poll_secs/],
  ["a cadence under one second", '{"feed":{"poll_seconds":0.5}}', /at feed\.poll_seconds/],
  ["a window that keeps nothing", '{"feed":{"keep_hours":0}}', /at feed\.keep_hours/],
  ["a value of the wrong form", '{"places":{"upstream":"ftp://x/"}}', /at places\.upstream/],
  ["a preset's address with a query", '{"overlays":{"iem":"http://x/?y"}}', /at overlays\.iem/],
  ["text that is not JSON", "{", /is not JSON/],
  [
    "a binding without a name",
    '{"compatibility_date":"2026-11-20","artifacts":[{"namespace":"a"}]}',
    /artifacts\.0\.binding/,
  ],
  [
    "a binding that is repeated",
    '{"compatibility_date":"2026-11-20","artifacts":[{"binding":"A","namespace":"a"},{"binding":"A","namespace":"b"}]}',
    /at artifacts\.1\.binding: "A" is repeated/,
  ],
  [
    "an invalid namespace",
    '{"compatibility_date":"2026-11-20","artifacts":[{"binding":"A","namespace":"../a"}]}',
    /artifacts\.0\.namespace/,
  ],
  ["artifacts without a compatibility date", '{"artifacts":[]}', /at compatibility_date: .*required/],
  [
    "a compatibility date ahead of the clock",
    '{"compatibility_date":"2026-11-21"}',
    /at compatibility_date: .*future/,
  ],
  ["an invalid compatibility date", '{"compatibility_date":"2026-02-30"}', /at compatibility_date/],
  [
    "an address without a range",
    '{"repositories":{"import_allow":["10.0.0.1"]}}',
    /repositories\.import_allow\.0/,
  ],
  [
    "a range wider than the address",
    '{"repositories":{"import_allow":["10.0.0.0/33"]}}',
    /repositories\.import_allow\.0/,
  ],
  ["an unknown key of the LAN", '{"repositories":{"lan":{"of":true}}}', /at repositories\.lan: .*of/],
  ["an unknown key of the repositories", '{"repositories":{"prot":1}}', /at repositories: .*prot/],
])("%s is refused by name, without the file's path", (_what, text, message) => {
  const path = write(text);
  let thrown: unknown;
  try {
    loadConfigFile(path, now);
  } catch (error) {
    thrown = error;
  }
  expect(isAppError(thrown, "invalid-input")).toBe(true);
  expect((thrown as Error).message).toMatch(message);
  expect((thrown as Error).message).not.toContain(directory);
});

test("a feed may poll every second; other values keep their defaults", () => {
  const file = loadConfigFile(
    write('{"feed":{"poll_seconds":1,"pair_wait_seconds":1,"backoff_max_seconds":1}}'),
    now,
  );
  expect(toFeedTiming(file.feed)).toEqual({
    pollMs: 1000,
    pairWaitMs: 1000,
    backoffMaxMs: 1000,
    keepMs: 86_400_000,
  });
  expect(toFeedTiming(undefined)).toEqual({
    pollMs: 120_000,
    pairWaitMs: 60_000,
    backoffMaxMs: 600_000,
    keepMs: 86_400_000,
  });
});

test("a missing file is named in the error", () => {
  expect(() => loadConfigFile(join(directory, "absent.json"), now)).toThrow(/absent\.json cannot be read/);
});

test("the API listener is off until the file names it; missing keys have defaults", () => {
  expect(toApiConfig({}, directory)).toEqual(defaultApiConfig);
  const file = loadConfigFile(
    write(
      '{"compatibility_date":"2026-11-20","artifacts":[],"repositories":{"port":0,"import_allow":["127.0.0.0/8","::1/128"],"import_ca":"ca.pem"}}',
    ),
    now,
  );
  expect(toApiConfig(file, directory)).toEqual({
    ...defaultApiConfig,
    isOn: true,
    port: 0,
    artifacts: [],
    importAllow: ["127.0.0.0/8", "::1/128"],
    importCaFile: join(directory, "ca.pem"),
  });
});
