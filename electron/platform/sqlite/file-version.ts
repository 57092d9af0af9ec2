// Whose an SQLite file is and of which version: what is not ours, or newer than we are, is refused; what is older is brought to
// the present version, one numbered migration after the other.
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";

export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly sql: string;
}

/** One of Echotop's kinds of SQLite file. */
export interface FileKind {
  /** SQLite's `application_id`. */
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  /** The sentence that refuses another program's file. */
  readonly foreign: string;
  /** The sentence that refuses a file of a version after `newest`, the newest that we know. */
  readonly newer: (version: number, newest: number) => string;
}

/**
 * The file's version, 0 for one that is still empty.
 * @throws AppError `conflict` for a newer version than ours, and for a file of another program
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
 * Applies what is missing. Call it inside a write transaction: it happens as a whole or not at all.
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
