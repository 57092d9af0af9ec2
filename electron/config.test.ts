import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAppError } from "../shared/app-error.ts";
import { loadConfigFile, toFeedTiming } from "./config.ts";

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
  expect(loadConfigFile(path)).toEqual({ places: { upstream: "http://127.0.0.1:8080/" } });
});

test.each([
  ["an unknown key", '{"plaices":{}}', /plaices/],
  ["an unknown inner key", '{"places":{"upstream":"http://x/","speed":1}}', /at places: .*speed/],
  ["a feed key that is unknown", '{"feed":{"poll_secs":1}}', /at feed: .*poll_secs/],
  ["a cadence under one second", '{"feed":{"poll_seconds":0.5}}', /at feed\.poll_seconds/],
  ["a window that keeps nothing", '{"feed":{"keep_hours":0}}', /at feed\.keep_hours/],
  ["a value of the wrong form", '{"places":{"upstream":"ftp://x/"}}', /at places\.upstream/],
  ["text that is not JSON", "{", /is not JSON/],
])("%s is refused by name, without the file's path", (_what, text, message) => {
  const path = write(text);
  let thrown: unknown;
  try {
    loadConfigFile(path);
  } catch (error) {
    thrown = error;
  }
  expect(isAppError(thrown, "invalid-input")).toBe(true);
  expect((thrown as Error).message).toMatch(message);
  expect((thrown as Error).message).not.toContain(directory);
});

test("a feed's cadence may be one second; what is not said stays as it is", () => {
  const file = loadConfigFile(
    write('{"feed":{"poll_seconds":1,"pair_wait_seconds":1,"backoff_max_seconds":1}}'),
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

test("a missing file is named", () => {
  expect(() => loadConfigFile(join(directory, "absent.json"))).toThrow(/absent\.json cannot be read/);
});
