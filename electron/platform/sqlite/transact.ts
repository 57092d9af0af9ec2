// Write transactions in SQLite.
import type { DatabaseSync } from "node:sqlite";

/**
 * A committed `durable` transaction survives a power cut. A power cut may lose `lazy` ones since the last durable one;
 * the file stays valid either way.
 */
export type Durability = "durable" | "lazy";

const durabilities = new WeakMap<DatabaseSync, Durability>();

/** Sets the durability of the connection's later transactions. Call it outside transactions. */
export function setDurability(database: DatabaseSync, durability: Durability): void {
  if (durabilities.get(database) === durability) return;
  durabilities.set(database, durability);
  database.exec(`PRAGMA synchronous = ${durability === "durable" ? "FULL" : "NORMAL"}`);
}

/** Runs `body` in a transaction that holds the write lock from the start. An error in `body` rolls it back. */
export function transact<Result>(database: DatabaseSync, body: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  return finishTransaction(database, body);
}

/** Runs `body` in a transaction that the caller began, then commits or rolls back. */
export function finishTransaction<Result>(database: DatabaseSync, body: () => Result): Result {
  try {
    const result = body();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite rolls back automatically if the disk is full.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
