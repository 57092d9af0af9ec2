// Connections to the catalog's SQLite file: how they are opened, what they promise, and write transactions.
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "../../shared/app-error.ts";
import { retryWhileBusy } from "./busy-retry.ts";
import { migrate, migrations, readVersion, type Migration } from "./migrate.ts";
import { hasNoRoomForIndex, sqliteCode } from "./storage-error.ts";

/** Readers of a write-ahead log wait only in rare moments: recovery after a crash, the last connection's clean-up. */
const readPatienceMs = 5000;

/** Result codes of SQLite (sqlite3.h). */
const sqliteReadOnly = 8;
const sqliteCannotOpen = 14;

/**
 * `durable` transactions survive a power cut once they are committed. A `lazy` one may be lost, alone or with later lazy
 * ones, until the next durable one; the catalog stays sound either way. For progress that the next run finds out again.
 */
export type Durability = "durable" | "lazy";

/**
 * Opens a connection that changes nothing, not even the files that belong to the write-ahead log: closing an ordinary
 * connection would fold a log that is left from a crash into the catalog. The file must exist.
 */
export function openUntouched(file: string): DatabaseSync {
  // Without a log, a read-only connection would leave an empty one behind and an ordinary one leaves nothing.
  const hasLog = existsSync(`${file}-wal`);
  try {
    return openChecked(file, hasLog);
  } catch (error) {
    const code = sqliteCode(error);
    const isRefused = code === sqliteCannotOpen || code === sqliteReadOnly || hasNoRoomForIndex(error);
    // An empty log is what is left where there was no room for one.
    if (!isRefused || (hasLog && statSync(`${file}-wal`).size > 0)) throw error;
    // On a disk where nothing can be made, not even a log's index, the file is all there is.
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    return openChecked(url, true);
  }
}

function openChecked(file: string | URL, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: readPatienceMs });
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

/** @throws AppError `conflict` for a catalog of a newer version or of another program, which stays as it is */
export function checkVersion(file: string, known: readonly Migration[] = migrations): void {
  if (!existsSync(file)) return;
  const database = openUntouched(file);
  try {
    readVersion(database, known);
  } finally {
    database.close();
  }
}

/** Opens the catalog and brings it to the present version; safe while other processes do the same. */
export async function openDatabase(
  file: string,
  mode: "read" | "write",
  known: readonly Migration[] = migrations,
): Promise<DatabaseSync> {
  checkVersion(file, known);
  const database = new DatabaseSync(file, { timeout: readPatienceMs });
  try {
    await retryWhileBusy(() => {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    });
    const journal = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
    if (journal !== "wal") {
      throw new AppError(
        "storage-failed",
        "The catalog could not be opened: its disk allows no write-ahead log.",
      );
    }
    if (readVersion(database, known) !== known.at(-1)?.version) {
      await writeTransaction(database, "durable", () => {
        migrate(database, known);
      });
    }
    if (mode === "read") database.exec("PRAGMA query_only = ON");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `body` in a transaction that holds the write lock from its start; whatever `body` throws rolls it back. */
export async function writeTransaction<Result>(
  database: DatabaseSync,
  durability: Durability,
  body: () => Result,
): Promise<Result> {
  return retryWhileBusy(() => {
    database.exec(`PRAGMA synchronous = ${durability === "durable" ? "FULL" : "NORMAL"}`);
    beginAtOnce(database);
    try {
      const result = body();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Fails with BUSY at once, so that waiting for another process does not block this one. */
function beginAtOnce(database: DatabaseSync): void {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    database.exec("BEGIN IMMEDIATE");
  } finally {
    database.exec(`PRAGMA busy_timeout = ${readPatienceMs}`);
  }
}
