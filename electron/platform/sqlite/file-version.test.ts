import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { migrate, readVersion, type FileKind } from "./file-version.ts";
import { firstNotesKind, notesKind } from "./support/notes-file.ts";

let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  onTestFinished(() => {
    database.close();
  });
});

test("an empty file is migrated to the current version, and an older one keeps its content", () => {
  expect(readVersion(database, notesKind)).toBe(0);
  migrate(database, firstNotesKind);
  expect(readVersion(database, notesKind)).toBe(1);
  database.exec("INSERT INTO notes VALUES ('hail')");
  migrate(database, notesKind);
  expect(readVersion(database, notesKind)).toBe(2);
  expect(database.prepare("SELECT * FROM notes").all()).toMatchObject([{ text: "hail", author: "nobody" }]);
});

test("a file of the current version stays unchanged", () => {
  migrate(database, notesKind);
  database.exec("PRAGMA query_only = ON");
  migrate(database, notesKind);
  expect(readVersion(database, notesKind)).toBe(2);
});

test.each([
  ["a newer version", "PRAGMA application_id = 77; PRAGMA user_version = 9", "Of version 9, not up to 2."],
  ["another program", "PRAGMA application_id = 78", "Another program's."],
  ["another program without versions", "CREATE TABLE theirs (a)", "Another program's."],
  ["another program with versions", "PRAGMA user_version = 1", "Another program's."],
])("a file of %s is refused with the message of its kind", (_whose, sql, message) => {
  database.exec(sql);
  for (const look of [readVersion, migrate]) {
    expect(() => {
      look(database, notesKind);
    }).toThrow(expect.objectContaining({ code: "conflict", message }));
  }
});

test("a migration is applied completely or not at all", () => {
  migrate(database, firstNotesKind);
  const broken: FileKind = {
    ...notesKind,
    migrations: [
      ...firstNotesKind.migrations,
      { version: 2, sql: "CREATE TABLE more (a); SELECT * FROM nowhere" },
    ],
  };
  database.exec("BEGIN");
  expect(() => {
    migrate(database, broken);
  }).toThrow(/nowhere/);
  database.exec("ROLLBACK");
  expect(readVersion(database, broken)).toBe(1);
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'more'").get()).toBeUndefined();
});
