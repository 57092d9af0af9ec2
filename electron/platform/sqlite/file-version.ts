// Checks an SQLite file's application id and version: refuses foreign and newer files, and migrates older ones with
// numbered migrations.
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";

export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly sql: string;
}

/** One of Echotop's kinds of SQLite file. */
export interface FileKind {
  /** SQLite's `application_id`. */
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  /** Message that refuses another program's file. */
  readonly foreign: string;
  /** Returns the message that refuses a version after `newest`, the newest known one. */
  readonly newer: (version: number, newest: number) => string;
}

/**
 * Returns the file's version; 0 if it is empty.
 * @throws AppError `conflict` for a newer version, and for another program's file
 */
export function readVersion(database: DatabaseSync, kind: FileKind): number {
  const version = readPragma(database, "user_version");
  const application = readPragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  const isEmpty = version === 0 && application === 0 && tables === 0;
  if (!isEmpty && application !== kind.applicationId) throw new AppError("conflict", kind.foreign);
  const newest = kind.migrations.at(-1)?.version ?? 0;
  if (version > newest) throw new AppError("conflict", kind.newer(version, newest));
  return version;
}

/**
 * Applies missing migrations. Call it inside a write transaction, so that it is all or nothing.
 * @throws AppError as `readVersion` does
 */
export function migrate(database: DatabaseSync, kind: FileKind): void {
  const present = readVersion(database, kind);
  for (const { version, sql } of kind.migrations) {
    if (version <= present) continue;
    database.exec(sql);
    database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${kind.applicationId}`);
  }
}

function readPragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
