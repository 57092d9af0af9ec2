// Lets one process build at a time: `npm start` beside `npm test` must not write the same bundles at once. The lock is
// SQLite's own on an empty database, which the operating system lets go of however its holder ends.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../shared/app-error.ts";

const SQLITE_BUSY = 5;

/** Keeps a held lock from the garbage collector, which would close its database, while only `work` knows of it. */
const held = new Set<DatabaseSync>();

export interface LockOptions {
  /** Gives up with `conflict` after this long. The thread does nothing else meanwhile. */
  readonly limitMs: number;
  /** Called once when somebody else has the lock. */
  readonly onWait: () => void;
}

/**
 * Runs `work` while this process holds the lock file at `path`.
 * @throws AppError `conflict` when another process keeps it longer than `limitMs`
 */
export async function withLock<Result>(
  path: string,
  { limitMs, onWait }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    if (!tryToTake(database, 0)) {
      onWait();
      if (!tryToTake(database, limitMs)) {
        throw new AppError(
          "conflict",
          "Another process has been building Echotop for too long; end it and try again.",
        );
      }
    }
    held.add(database);
    return await work();
  } finally {
    held.delete(database);
    database.close();
  }
}

function tryToTake(database: DatabaseSync, waitMs: number): boolean {
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`);
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
