// Locks between processes, as SQLite takes them on a file of its own that is never written: the system releases them however
// a process ends. Nobody may open such a file by other means in the same process: closing it would drop the locks (POSIX).
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../sqlite/result-codes.ts";
import { retryWhileBusy } from "../sqlite/busy-retry.ts";

export interface FileLock {
  /** Idempotent. */
  close(): void;
}

/** A connection that takes locks on `file`, which is made if it is missing; it never waits by itself. */
export function openLockFile(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: 0 });
}

/** Takes the lock alone, until `COMMIT`; false where anybody has it. */
export function tryExclusive(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Takes the lock together with others, until the connection is closed; waits while somebody has it alone. */
export async function takeShared(lock: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => {
    // A read transaction holds SQLite's shared lock until it ends; this one never does.
    lock.exec("BEGIN");
    try {
      lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    } catch (error) {
      lock.exec("ROLLBACK");
      throw error;
    }
  });
}

export function toFileLock(lock: DatabaseSync): FileLock {
  return {
    close() {
      if (lock.isOpen) lock.close();
    },
  };
}
