// Connections to the catalog's SQLite file, and its write transactions.
import { DatabaseSync } from "node:sqlite";
import { migrate, readVersion, type FileKind } from "../../platform/sqlite/file-version.ts";
import { checkVersion, keepLog, readPatienceMs } from "../../platform/sqlite/open-sqlite-file.ts";
import { finishTransaction, setDurability, type Durability } from "../../platform/sqlite/transact.ts";
import { retryWhileBusy } from "../../platform/sqlite/busy-retry.ts";
import { catalogKind } from "./schema/catalog-schema.ts";

/** Runs `body` in a write transaction. */
export type Commit = <Result>(durability: Durability, body: () => Result) => Promise<Result>;

/**
 * Opens the catalog and migrates it to the current version; safe while other processes do the same.
 * @throws AppError `conflict` for a catalog of a newer version or of another program, which stays unchanged;
 * `storage-failed`
 */
export async function openDatabase(
  file: string,
  mode: "read" | "write",
  kind: FileKind = catalogKind,
): Promise<DatabaseSync> {
  checkVersion(file, kind);
  const database = new DatabaseSync(file, { timeout: readPatienceMs });
  try {
    await retryWhileBusy(() => {
      keepLog(database, "The catalog could not be opened: its disk does not support a write-ahead log.");
      database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    });
    if (readVersion(database, kind) !== kind.migrations.at(-1)?.version) {
      await writeTransaction(database, "durable", () => {
        migrate(database, kind);
      });
    }
    if (mode === "read") database.exec("PRAGMA query_only = ON");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `body` in a transaction that holds the write lock from the start. An error in `body` rolls it back. */
export async function writeTransaction<Result>(
  database: DatabaseSync,
  durability: Durability,
  body: () => Result,
): Promise<Result> {
  return retryWhileBusy(() => {
    setDurability(database, durability);
    beginAtOnce(database);
    return finishTransaction(database, body);
  });
}

/** Fails with BUSY at once instead of blocking this process. */
function beginAtOnce(database: DatabaseSync): void {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    database.exec("BEGIN IMMEDIATE");
  } finally {
    database.exec(`PRAGMA busy_timeout = ${readPatienceMs}`);
  }
}
