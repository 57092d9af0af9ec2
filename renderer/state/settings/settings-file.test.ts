import { describe, expect, test } from "vitest";
import { mostSettingsBytes, parseSettingsFile, writeSettingsFile } from "./settings-file.ts";
import { defaultSettings, type Settings } from "./habits.ts";

const mine: Settings = {
  ...defaultSettings,
  ownKeys: { newest: ["x"], "next-correction": [] },
  clockZone: "local",
  clockHours: 12,
  lengthUnit: "nmi",
  textSize: 125,
  startsWhereLeft: false,
};

function fileWith(settings: unknown, more: object = {}): string {
  return JSON.stringify({ format: "echotop-settings", version: 1, settings, ...more });
}

describe("a settings file", () => {
  test("gives back what was written", () => {
    expect(parseSettingsFile(writeSettingsFile(mine))).toEqual({ settings: mine });
  });

  test("with a part of the settings has the first value for the others", () => {
    expect(parseSettingsFile(fileWith({ clockHours: 12 }))).toEqual({
      settings: { ...defaultSettings, clockHours: 12 },
    });
  });

  test.each([
    ["not JSON", "{", /^it is not JSON/],
    ["another format", JSON.stringify({ format: "other", version: 1, settings: {} }), /^format: /],
    ["another version", fileWith({}, { version: 2 }), /^version: /],
    ["an unknown setting", fileWith({ sound: true }), /^settings: .*sound/],
    ["a wrong value", fileWith({ clockHours: 13 }), /^settings\.clockHours: /],
    ["an unknown command", fileWith({ ownKeys: { "launch-rocket": ["x"] } }), /^settings\.ownKeys/],
    ["a reserved key", fileWith({ ownKeys: { newest: ["Tab"] } }), /^settings\.ownKeys\.newest\.0: This key/],
    [
      "a key of two commands",
      fileWith({ ownKeys: { newest: ["e"] } }),
      /^settings\.ownKeys\.newest: The key e is also/,
    ],
    ["a long key", fileWith({ ownKeys: { newest: ["x".repeat(21)] } }), /^settings\.ownKeys\.newest\.0: /],
    [
      "a prototype",
      '{"format":"echotop-settings","version":1,"settings":{"__proto__":{"a":1}}}',
      /^settings: /,
    ],
    ["a long, hidden name", fileWith({ [`\u202e${"k".repeat(60_000)}`]: 1 }), /^settings: .*"k{1,180}\.$/],
    ["a list", "[]", /expected object/],
    ["too much", fileWith({}, { more: "x".repeat(mostSettingsBytes) }), /larger than a settings file/],
  ])("with %s is refused with the reason", (_, text, reason) => {
    const read = parseSettingsFile(text);
    expect("problem" in read && read.problem).toMatch(reason);
  });
});
