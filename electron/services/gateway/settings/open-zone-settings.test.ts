// The settings of a data directory: the contract of all settings, and what only a file can suffer.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { auditLimitContract, ruleDraft, settingsContract } from "../support/settings-contract.ts";
import { openZoneSettings } from "./open-zone-settings.ts";
import type { ZoneSettings } from "./zone-settings.ts";

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "echotop-settings-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A clock that advances by a second whenever it is read. */
function open(directory: string): ZoneSettings {
  let ms = Date.UTC(2026, 10, 20);
  const settings = openZoneSettings({ directory, now: () => new Date((ms += 1_000)) });
  onTestFinished(() => settings.close());
  return settings;
}

const fileOf = (directory: string): string => join(directory, "gateway", "settings.sqlite");

function change(directory: string, sql: string): Buffer {
  const database = new DatabaseSync(fileOf(directory));
  database.exec(sql);
  database.close();
  return readFileSync(fileOf(directory));
}

const createPlace = () => {
  const directory = temporaryDirectory();
  const trigger = "CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END";
  return Promise.resolve({
    open: () => Promise.resolve(open(directory)),
    refuseChanges: () => {
      change(directory, trigger);
      return Promise.resolve();
    },
  });
};

settingsContract("a data directory", createPlace);
auditLimitContract("a data directory", createPlace);

test("a setting survives a crash at any later moment", async () => {
  const directory = temporaryDirectory();
  const killed = temporaryDirectory();
  const settings = open(directory);
  await settings.replaceRules("z1", [ruleDraft("ssl")], "token1");
  await settings.setFeature("z1", "on", "token1");
  cpSync(join(directory, "gateway"), join(killed, "gateway"), { recursive: true });
  expect(existsSync(`${fileOf(killed)}-wal`)).toBe(true);
  const after = open(killed);
  expect(after.setting("z1")).toEqual(settings.setting("z1"));
  expect(after.ruleset("z1")).toEqual(settings.ruleset("z1"));
});

test("a file of a newer version, of another program, damaged or in use is refused and left unchanged", async () => {
  const directory = temporaryDirectory();
  const first = open(directory);
  expect(() => open(directory)).toThrow(
    "The gateway's settings are in use by another Echotop; close that one, or give this one a data directory of its own.",
  );
  await first.close();
  const newer = change(directory, "PRAGMA user_version = 2");
  expect(() => open(directory)).toThrow(/newer Echotop/);
  expect(readFileSync(fileOf(directory))).toEqual(newer);
  change(directory, "PRAGMA user_version = 1; PRAGMA application_id = 7");
  expect(() => open(directory)).toThrow(/another program/);
  change(
    directory,
    `PRAGMA application_id = 1164408691; INSERT INTO metadata VALUES ('z1', 'ch1', '{"a":1}')`,
  );
  expect(() => open(directory)).toThrow(/damaged/);
});
