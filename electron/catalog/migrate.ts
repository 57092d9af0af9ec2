// Brings a catalog to the present version, one numbered migration after the other, and refuses what is not ours.
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../shared/app-error.ts";
import { initial } from "./migrations/0001-initial.ts";
import { sources } from "./migrations/0002-sources.ts";

export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [initial, sources];

/** SQLite's `application_id` of our catalogs: "Echo" in ASCII. */
const applicationId = 0x4563686f;

/**
 * The catalog's version, 0 for a database that is still empty.
 * @throws AppError `conflict` for a newer version than ours, and for a database of another program
 */
export function readVersion(database: DatabaseSync, known: readonly Migration[] = migrations): number {
  const version = readPragma(database, "user_version");
  const application = readPragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  const isEmpty = version === 0 && application === 0 && tables === 0;
  if (!isEmpty && application !== applicationId) {
    throw new AppError("conflict", "The catalog.sqlite of this data directory belongs to another program.");
  }
  const newest = known.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new AppError(
      "conflict",
      `This data directory has version ${version}, written by a newer Echotop; this one knows versions up to ${newest}.`,
    );
  }
  return version;
}

/** Applies what is missing. Call it inside a write transaction: it happens as a whole or not at all. */
export function migrate(database: DatabaseSync, known: readonly Migration[] = migrations): void {
  const version = readVersion(database, known);
  for (const migration of known) {
    if (migration.version <= version) continue;
    database.exec(migration.sql);
    database.exec(`PRAGMA user_version = ${migration.version}`);
  }
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

function readPragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
