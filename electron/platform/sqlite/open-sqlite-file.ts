// How Echotop opens its SQLite files: to look without changing anything, or to work with them at the present version.
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "../../../shared/app-error.ts";
import { migrate, readVersion, type FileKind } from "./file-version.ts";
import { hasNoRoomForIndex, sqliteCannotOpen, sqliteCode, sqliteReadOnly } from "./result-codes.ts";
import { transact } from "./transact.ts";

/** Readers of a write-ahead log wait only in rare moments: recovery after a crash, the last connection's clean-up. */
export const readPatienceMs = 5000;

/**
 * Opens a connection that changes nothing, not even the files that belong to the write-ahead log: closing an ordinary
 * connection would fold a log that is left from a crash into the file. The file must exist.
 */
export function openUntouched(file: string, patienceMs = readPatienceMs): DatabaseSync {
  // Without a log, a read-only connection would leave an empty one behind and an ordinary one leaves nothing.
  const hasLog = existsSync(`${file}-wal`);
  try {
    return openForReading(file, hasLog, patienceMs);
  } catch (error) {
    const code = sqliteCode(error);
    const isRefused = code === sqliteCannotOpen || code === sqliteReadOnly || hasNoRoomForIndex(error);
    // An empty log is what is left where there was no room for one.
    if (!isRefused || (hasLog && statSync(`${file}-wal`).size > 0)) throw error;
    // On a disk where nothing can be made, not even a log's index, the file is all there is.
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    return openForReading(url, true, patienceMs);
  }
}

function openForReading(file: string | URL, readOnly: boolean, patienceMs: number): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: patienceMs });
  try {
    database.exec("PRAGMA query_only = ON");
    // The first read is what opens the log.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A file that is missing is fine; one that is refused stays as it is.
 * @throws AppError `conflict` for a file of a newer version or of another program
 */
export function checkVersion(file: string, kind: FileKind, patienceMs = readPatienceMs): void {
  if (!existsSync(file)) return;
  const database = openUntouched(file, patienceMs);
  try {
    readVersion(database, kind);
  } finally {
    database.close();
  }
}

export interface Opening {
  /** How long anything waits for another connection to let go: the thread stands still meanwhile. */
  readonly patienceMs: number;
  /** Sets the connection's pragmas, the journal's among them. */
  readonly prepare: (database: DatabaseSync) => void;
}

/**
 * Opens the file, which is made if it is missing, and brings it to the present version. Its folder must exist.
 * @throws AppError as `checkVersion` does, and what SQLite throws
 */
export function openAtPresent(file: string, kind: FileKind, { patienceMs, prepare }: Opening): DatabaseSync {
  checkVersion(file, kind, patienceMs);
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    prepare(database);
    transact(database, () => {
      migrate(database, kind);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** @throws AppError `storage-failed` with the sentence `refusal` where the disk allows no write-ahead log */
export function keepLog(database: DatabaseSync, refusal: string): void {
  database.exec("PRAGMA journal_mode = WAL");
  const journal = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
  if (journal !== "wal") throw new AppError("storage-failed", refusal);
}
