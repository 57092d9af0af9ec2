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

test("a file is made, and found again at the present version", () => {
  const file = notesPath();
  const first = open(file, firstNotesKind);
  first.exec("INSERT INTO notes VALUES ('hail')");
  first.close();
  const second = open(file);
  expect(second.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
  expect(textsOf(second)).toEqual(["hail"]);
});

test("a file that is refused stays as it is, with nothing beside it", () => {
  const file = notesPath();
  open(file).close();
  const before = readFileSync(file);
  expect(() => open(file, firstNotesKind)).toThrow("Of version 2, not up to 1.");
  expect(() => open(file, { ...notesKind, applicationId: 78 })).toThrow("Another program's.");
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(dirname(file))).toEqual(["notes.sqlite"]);
});

test("a file that is missing is fine to check, and is not made", () => {
  const file = notesPath();
  checkVersion(file, notesKind);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("a look folds no log into the file that a crash has left", () => {
  const [running, crashed] = [notesPath(), notesPath()];
  const database = open(running);
  database.exec("INSERT INTO notes (text) VALUES ('hail')");
  // What a killed process leaves.
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

test("a look at a file without a log leaves none behind, and changes nothing", () => {
  const file = notesPath();
  open(file).close();
  const look = closedLater(openUntouched(file));
  expect(() => {
    look.exec("DELETE FROM notes");
  }).toThrow(/readonly/);
  look.close();
  expect(readdirSync(dirname(file))).toEqual(["notes.sqlite"]);
});

test("what is no database is refused as SQLite refuses it", () => {
  const file = notesPath();
  writeFileSync(file, "not a database at all, whatever its name says");
  expect(() => openUntouched(file)).toThrow(/not a database/);
  expect(() => open(file)).toThrow(/not a database/);
});

test("where no log can be kept, the caller's sentence says so", () => {
  const database = closedLater(new DatabaseSync(":memory:"));
  expect(() => {
    keepLog(database, "No log here.");
  }).toThrow(expect.objectContaining({ code: "storage-failed", message: "No log here." }));
});
