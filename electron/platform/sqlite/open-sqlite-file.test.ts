import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { FileKind } from "./file-version.ts";
import { checkVersion, keepLog, openAtPresent, openUntouched } from "./open-sqlite-file.ts";
import { firstNotesKind, notesKind, notesPath } from "./support/notes-file.ts";

function closedLater(database: DatabaseSync): DatabaseSync {
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

function open(file: string, kind: FileKind = notesKind): DatabaseSync {
  const prepare = (database: DatabaseSync): void => {
    keepLog(database, "No log here.");
  };
  return closedLater(openAtPresent(file, kind, { patienceMs: 0, prepare }));
}

const textsOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT text FROM notes")
    .all()
    .map(({ text }) => text);

test("a file is created, and opened again at the current version", () => {
  const file = notesPath();
  const first = open(file, firstNotesKind);
  first.exec("INSERT INTO notes VALUES ('hail')");
  first.close();
  const second = open(file);
  expect(second.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  expect(textsOf(second)).toEqual(["hail"]);
});

test("a refused file stays unchanged, and no other file appears next to it", () => {
  const file = notesPath();
  open(file).close();
  const before = readFileSync(file);
  expect(() => open(file, firstNotesKind)).toThrow("Of version 2, not up to 1.");
  expect(() => open(file, { ...notesKind, applicationId: 78 })).toThrow("Another program's.");
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(dirname(file))).toEqual(["notes.sqlite"]);
});

test("checking a missing file succeeds and creates none", () => {
  const file = notesPath();
  checkVersion(file, notesKind);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("reading a file after a crash leaves its write-ahead log in place", () => {
  const [running, crashed] = [notesPath(), notesPath()];
  const database = open(running);
  database.exec("INSERT INTO notes (text) VALUES ('hail')");
  // Simulates a killed process.
  for (const end of ["", "-wal"]) copyFileSync(`${running}${end}`, `${crashed}${end}`);
  const before = [readFileSync(crashed), readFileSync(`${crashed}-wal`)];
  const look = closedLater(openUntouched(crashed));
  expect(textsOf(look)).toEqual(["hail"]);
  expect(() => {
    look.exec("DELETE FROM notes");
  }).toThrow(/readonly/);
  look.close();
  expect([readFileSync(crashed), readFileSync(`${crashed}-wal`)]).toEqual(before);
});

test("reading a file without a write-ahead log leaves none and changes nothing", () => {
  const file = notesPath();
  open(file).close();
  const look = closedLater(openUntouched(file));
  expect(() => {
    look.exec("DELETE FROM notes");
  }).toThrow(/readonly/);
  look.close();
  expect(readdirSync(dirname(file))).toEqual(["notes.sqlite"]);
});

test("a file that is not a database is refused with SQLite's error", () => {
  const file = notesPath();
  writeFileSync(file, "not a database at all, whatever its name says");
  expect(() => openUntouched(file)).toThrow(/not a database/);
  expect(() => open(file)).toThrow(/not a database/);
});

test("a disk without support for a write-ahead log is reported with the caller's message", () => {
  const database = closedLater(new DatabaseSync(":memory:"));
  expect(() => {
    keepLog(database, "No log here.");
  }).toThrow(expect.objectContaining({ code: "storage-failed", message: "No log here." }));
});
