// A kind of SQLite file for tests, and a temporary place for it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FileKind } from "../file-version.ts";

export const notesKind: FileKind = {
  applicationId: 77,
  migrations: [
    { version: 1, sql: "CREATE TABLE notes (text TEXT NOT NULL) STRICT" },
    { version: 2, sql: "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'" },
  ],
  foreign: "Another program's.",
  newer: (version, newest) => `Of version ${version}, not up to ${newest}.`,
};

/** The kind as its first version knew it. */
export const firstNotesKind: FileKind = { ...notesKind, migrations: notesKind.migrations.slice(0, 1) };

/** Returns the path of a missing file in a temporary folder, which is removed with the test. */
export function notesPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "echotop-sqlite-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return join(folder, "notes.sqlite");
}
