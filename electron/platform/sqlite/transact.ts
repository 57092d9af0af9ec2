// Write transactions of SQLite.
import type { DatabaseSync } from "node:sqlite";

/**
 * `durable` transactions survive a power cut once they are committed. A `lazy` one may be lost, alone or with later lazy
 * ones, until the next durable one; the file stays sound either way.
 */
export type Durability = "durable" | "lazy";

/** Of the connection's transactions from now on; not inside one. */
export function setDurability(database: DatabaseSync, durability: Durability): void {
  database.exec(`PRAGMA synchronous = ${durability === "durable" ? "FULL" : "NORMAL"}`);
}

/** Runs `body` in a transaction that holds the write lock from its start; whatever `body` throws rolls it back. */
export function transact<Result>(database: DatabaseSync, body: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  return finishTransaction(database, body);
}

/** The same in a transaction that the caller has begun. */
export function finishTransaction<Result>(database: DatabaseSync, body: () => Result): Result {
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
