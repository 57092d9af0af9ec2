// The SQLite file of hosting's metadata, and the lock that gives it to one host at a time.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../shared/app-error.ts";
import { migrations, type Migration } from "./schema.ts";

/** SQLite's `application_id` of our files: "Erep" in ASCII. */
const applicationId = 0x45726570;
/** Result codes of SQLite (sqlite3.h): somebody else holds it. */
const busyCodes: readonly number[] = [5, 6];

/**
 * Changes nothing: not even a log that a crash has left is folded in.
 * @throws AppError `conflict` for a file of a newer version or of another program
 */
export function checkVersion(file: string, known: readonly Migration[] = migrations): void {
  if (!existsSync(file)) return;
  // Without a log, a read-only connection would leave an empty one behind and an ordinary one leaves nothing.
  const database = new DatabaseSync(file, { readOnly: existsSync(`${file}-wal`) });
  try {
    database.exec("PRAGMA query_only = ON");
    readVersion(database, known);
  } finally {
    database.close();
  }
}

/** Opens the file, which is made if it is missing, and brings it to the present version. @throws AppError `conflict` */
export function openDatabase(file: string, known: readonly Migration[] = migrations): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    if (database.prepare("PRAGMA journal_mode").get()?.journal_mode !== "wal") {
      throw new AppError(
        "storage-failed",
        "Repositories cannot be kept here: the disk allows no write-ahead log.",
      );
    }
    transaction(database, "durable", () => {
      const version = readVersion(database, known);
      for (const migration of known.filter((one) => one.version > version)) database.exec(migration.sql);
      database.exec(`PRAGMA user_version = ${known.at(-1)?.version ?? 0}`);
      database.exec(`PRAGMA application_id = ${applicationId}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function readVersion(database: DatabaseSync, known: readonly Migration[]): number {
  const version = readPragma(database, "user_version");
  const application = readPragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  const isEmpty = version === 0 && application === 0 && tables === 0;
  if (!isEmpty && application !== applicationId) {
    throw new AppError(
      "conflict",
      "The repositories.sqlite of this data directory belongs to another program.",
    );
  }
  const newest = known.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new AppError(
      "conflict",
      `The repositories of this data directory have version ${version}, written by a newer Echotop; this one knows versions up to ${newest}.`,
    );
  }
  return version;
}

function readPragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * `durable` changes survive a power cut once they are committed. A `lazy` one may be lost until the next durable one; the file
 * stays sound either way.
 */
export type Durability = "durable" | "lazy";

/** Whatever `body` throws rolls it back. */
export function transaction<Result>(
  database: DatabaseSync,
  durability: Durability,
  body: () => Result,
): Result {
  database.exec(`PRAGMA synchronous = ${durability === "durable" ? "FULL" : "NORMAL"}`);
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = body();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk may have rolled back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

export interface HostLock {
  /** Idempotent. */
  close(): void;
}

const inUse =
  "The repositories of this data directory are in use by another Echotop; close that one, or give this one a directory of its own.";

/**
 * The system releases the lock however the host ends. Nobody may open `file` by other means in the same process: closing it
 * would drop the lock (POSIX).
 * @throws AppError `conflict` while another host, or another part of this one, has it
 */
export function takeHostLock(file: string): HostLock {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new AppError("conflict", inUse, { cause: error });
  }
  return {
    close() {
      if (lock.isOpen) lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return busyCodes.includes(error.errcode & 0xff);
}
