// Opens SQLite files: for reading without any change, or for work at the current version.
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "../../../shared/app-error.ts";
import { migrate, readVersion, type FileKind } from "./file-version.ts";
import { hasNoRoomForIndex, sqliteCannotOpen, sqliteCode, sqliteReadOnly } from "./result-codes.ts";
import { transact } from "./transact.ts";

/** Patience of readers. They wait only for recovery after a crash and for the last connection's cleanup. */
export const readPatienceMs = 5000;

/**
 * Opens a connection that changes nothing, not even the write-ahead log: closing an ordinary connection would merge a
 * log that a crash has left. The file must exist.
 */
export function openUntouched(file: string, patienceMs = readPatienceMs): DatabaseSync {
  // Without a log, a read-only connection would leave an empty one, and an ordinary one leaves nothing.
  const hasLog = existsSync(`${file}-wal`);
  try {
    return openForReading(file, hasLog, patienceMs);
  } catch (error) {
    const code = sqliteCode(error);
    const isRefused = code === sqliteCannotOpen || code === sqliteReadOnly || hasNoRoomForIndex(error);
    // An empty log may remain from a full disk.
    if (!isRefused || (hasLog && statSync(`${file}-wal`).size > 0)) throw error;
    // On a disk where not even the log's index can be created, nobody writes: the file never changes.
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    return openForReading(url, true, patienceMs);
  }
}

function openForReading(file: string | URL, readOnly: boolean, patienceMs: number): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: patienceMs });
  try {
    database.exec("PRAGMA query_only = ON");
    // The first read opens the log.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Checks a file without changing it. A missing file is fine.
 * @throws AppError `conflict` for a newer version or another program's file
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
  /** Longest wait for another connection. It blocks the thread. */
  readonly patienceMs: number;
  /** Sets the connection's pragmas, including the journal mode. */
  readonly prepare: (database: DatabaseSync) => void;
}

/**
 * Opens or creates the file and migrates it to the current version. Its folder must exist.
 * @throws AppError as `checkVersion` does; errors of SQLite
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

/**
 * Switches to a write-ahead log. @throws AppError `storage-failed` with the message `refusal` if the disk does not
 * support it
 */
export function keepLog(database: DatabaseSync, refusal: string): void {
  database.exec("PRAGMA journal_mode = WAL");
  const journal = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
  if (journal !== "wal") throw new AppError("storage-failed", refusal);
}
