// Locks between processes, held by SQLite on a separate file that is never written. The system releases them however a
// process ends. Do not open the file by other means in the same process: closing it would drop the locks (POSIX).
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../sqlite/result-codes.ts";
import { retryWhileBusy } from "../sqlite/busy-retry.ts";

export interface FileLock {
  /** Idempotent. */
  close(): void;
}

/** Opens a connection for locks on `file`, created if missing. It never waits. */
export function openLockFile(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: 0 });
}

/** Takes the exclusive lock until `COMMIT`. Returns false if the lock is taken. */
export function tryExclusive(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Takes the shared lock until the connection is closed. Waits while another process has the exclusive lock. */
export async function takeShared(lock: DatabaseSync): Promise<void> {
  await retryWhileBusy(() => {
    // A read transaction holds SQLite's shared lock until it ends; this one ends with the connection.
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
