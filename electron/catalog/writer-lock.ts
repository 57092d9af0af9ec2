// The lock that writing processes share for their whole life. It is a lock on an SQLite file, so the system releases it
// however a process ends; a process that gets it alone knows that whatever lies in staging is left over.
// Nobody may open this file, or the catalog's, by other means in the same process: closing it would drop the locks (POSIX).
import { DatabaseSync } from "node:sqlite";
import { retryWhileBusy } from "./busy-retry.ts";
import { isBusy } from "./storage-error.ts";

export interface WriterLock {
  close(): void;
}

/**
 * Takes the shared lock. `whenAlone` runs first, and holds all others off, if no process has it.
 * @throws the error of SQLite or of `whenAlone`
 */
export async function acquireWriterLock(file: string, whenAlone: () => Promise<void>): Promise<WriterLock> {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (tryExclusive(database)) {
      try {
        await whenAlone();
      } finally {
        database.exec("COMMIT");
      }
    }
    await retryWhileBusy(() => {
      takeShared(database);
    });
  } catch (error) {
    database.close();
    throw error;
  }
  let open = true;
  return {
    close() {
      if (open) database.close();
      open = false;
    },
  };
}

function tryExclusive(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** A read transaction holds SQLite's shared lock until it ends; this one never does. */
function takeShared(database: DatabaseSync): void {
  database.exec("BEGIN");
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
