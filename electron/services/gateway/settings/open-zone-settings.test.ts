// Settings of zones survive restarts, crashes and failing disks, and the audit trail says who changed them.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { openZoneSettings } from "./open-zone-settings.ts";
import type { ConfigRuleDraft, ZoneSettings } from "./zone-settings.ts";

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
  onTestFinished(() => {
    settings.close();
  });
  return settings;
}

const fileOf = (directory: string): string => join(directory, "gateway", "settings.sqlite");

function draft(expression: string, rest: Partial<ConfigRuleDraft> = {}): ConfigRuleDraft {
  return { expression, description: "", enabled: true, redirectsForAiTraining: true, ...rest };
}

test("nothing is set at first, and each zone has its own settings", () => {
  const settings = open(temporaryDirectory());
  expect(settings.setting("z1")).toEqual({ value: "off", modifiedOn: null });
  expect(settings.ruleset("z1")).toMatchObject({ version: "0", lastUpdated: null, rules: [] });
  expect(settings.ruleset("z1").id).toMatch(/^[0-9a-f]{32}$/);
  expect(settings.ruleset("z1").id).not.toBe(settings.ruleset("z2").id);
  expect(settings.metadata("z1", "ch1")).toBeUndefined();
  expect(settings.revision()).toBe(0);
  settings.setFeature("z1", "on", "viewer");
  expect(settings.setting("z1")).toEqual({ value: "on", modifiedOn: "2026-11-20T00:00:01.000Z" });
  expect(settings.setting("z2").value).toBe("off");
  expect(settings.revision()).toBe(1);
});

test("a restart changes no setting", () => {
  const directory = temporaryDirectory();
  const before = open(directory);
  before.setFeature("z1", "on", "token1");
  before.replaceRules("z1", [draft("ssl"), draft("not ssl", { ref: "mine", enabled: false })], "token1");
  before.setMetadata("z1", "ch1", { redirects_for_ai_training: "enabled", 'q"': "é" }, "token2");
  const state = (settings: ZoneSettings): unknown => [
    settings.setting("z1"),
    settings.ruleset("z1"),
    settings.metadata("z1", "ch1"),
    settings.audit("z1", 10),
  ];
  const expected = state(before);
  before.close();
  before.close();
  expect(state(open(directory))).toEqual(expected);
});

test("a setting survives a crash at any later moment", () => {
  const directory = temporaryDirectory();
  const killed = temporaryDirectory();
  const settings = open(directory);
  settings.replaceRules("z1", [draft("ssl")], "token1");
  settings.setFeature("z1", "on", "token1");
  cpSync(join(directory, "gateway"), join(killed, "gateway"), { recursive: true });
  expect(existsSync(`${fileOf(killed)}-wal`)).toBe(true);
  const after = open(killed);
  expect(after.setting("z1")).toEqual(settings.setting("z1"));
  expect(after.ruleset("z1")).toEqual(settings.ruleset("z1"));
});

test("a rule with a known name keeps its id, and its version if it does not change", () => {
  const settings = open(temporaryDirectory());
  const [a, b] = settings.replaceRules("z1", [draft("ssl"), draft("not ssl", { ref: "b" })], "t").rules;
  expect(a).toMatchObject({ ref: a!.id, version: "1" });
  const again = settings.replaceRules(
    "z1",
    [draft("not ssl", { ref: "b" }), draft("ssl or ssl", { id: a!.id }), draft("ssl", { id: "unheard of" })],
    "t",
  );
  expect(again.version).toBe("2");
  expect(again.rules[0]).toEqual(b);
  expect(again.rules[1]).toMatchObject({
    id: a!.id,
    ref: a!.id,
    version: "2",
    lastUpdated: again.lastUpdated,
  });
  expect(again.rules[2]).toMatchObject({ version: "1" });
  expect(again.rules[2]!.id).not.toBe("unheard of");
  const anonymous = settings.replaceRules("z1", [draft("ssl")], "t");
  expect([a!.id, again.rules[2]!.id]).not.toContain(anonymous.rules[0]!.id);
});

test.each([
  ["ref", [draft("ssl", { ref: "x" }), draft("ssl", { ref: "x" })]],
  ["id", [draft("ssl", { ref: "known" }), draft("ssl", { ref: "known", id: "other" })]],
])("two rules with one %s are refused, and nothing changes", (_, drafts) => {
  const settings = open(temporaryDirectory());
  settings.replaceRules("z1", [draft("ssl", { ref: "known" })], "t");
  const before = settings.ruleset("z1");
  expect(() => settings.replaceRules("z1", drafts, "t")).toThrow(/^Two rules have the same/);
  expect(settings.ruleset("z1")).toEqual(before);
  expect(settings.revision()).toBe(1);
});

test("the audit trail says who changed what from what, newest first, and is limited", () => {
  const settings = open(temporaryDirectory());
  settings.setFeature("z1", "on", "token1");
  settings.setMetadata("z1", "ch1", { a: "b" }, "viewer");
  expect(settings.audit("z1", 10)).toEqual([
    {
      at: "2026-11-20T00:00:02.000Z",
      zoneId: "z1",
      actor: "viewer",
      action: "metadata",
      before: '{"hostname":"ch1","custom_metadata":null}',
      after: '{"hostname":"ch1","custom_metadata":{"a":"b"}}',
    },
    {
      at: "2026-11-20T00:00:01.000Z",
      zoneId: "z1",
      actor: "token1",
      action: "setting",
      before: '"off"',
      after: '"on"',
    },
  ]);
  for (let i = 0; i < 1_010; i++) settings.setFeature("z1", i % 2 === 0 ? "off" : "on", "token1");
  expect(settings.audit("z1", 5_000)).toHaveLength(1_000);
  expect(settings.audit("z2", 10)).toEqual([]);
});

test("a change that the disk refuses has no effect", () => {
  const directory = temporaryDirectory();
  const settings = open(directory);
  settings.setFeature("z1", "on", "t");
  settings.close();
  const limited = new DatabaseSync(fileOf(directory));
  limited.exec("CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  limited.close();
  const after = open(directory);
  const refused = ((): unknown => {
    try {
      return after.setFeature("z1", "off", "t");
    } catch (error) {
      return error;
    }
  })();
  expect(isAppError(refused, "storage-failed")).toBe(true);
  expect(after.setting("z1").value).toBe("on");
  expect(() => after.replaceRules("z1", [draft("ssl")], "t")).toThrow("disk full");
  expect(after.ruleset("z1")).toMatchObject({ version: "0", rules: [] });
  expect(after.revision()).toBe(0);
});

test("a file of a newer version, of another program, damaged or in use is refused and left unchanged", () => {
  const directory = temporaryDirectory();
  const first = open(directory);
  expect(() => open(directory)).toThrow(
    "The gateway's settings are in use by another Echotop; close that one, or give this one a data directory of its own.",
  );
  first.close();
  const change = (sql: string): Buffer => {
    const database = new DatabaseSync(fileOf(directory));
    database.exec(sql);
    database.close();
    return readFileSync(fileOf(directory));
  };
  const newer = change("PRAGMA user_version = 2");
  expect(() => open(directory)).toThrow(/newer Echotop/);
  expect(readFileSync(fileOf(directory))).toEqual(newer);
  change("PRAGMA user_version = 1; PRAGMA application_id = 7");
  expect(() => open(directory)).toThrow(/another program/);
  change(`PRAGMA application_id = 1164408691; INSERT INTO metadata VALUES ('z1', 'ch1', '{"a":1}')`);
  expect(() => open(directory)).toThrow(/damaged/);
});

test("metadata is the same after a restart, for any keys", () => {
  const directory = temporaryDirectory();
  const before = open(directory);
  const metadata = JSON.parse('{"__proto__":"x","constructor":"y","":"z"}') as Record<string, string>;
  before.setMetadata("z1", "ch1", metadata, "t1");
  before.close();
  expect(JSON.stringify(open(directory).metadata("z1", "ch1"))).toBe(JSON.stringify(metadata));
});
