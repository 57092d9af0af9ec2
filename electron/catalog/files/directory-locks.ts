// Locks of a data directory between processes. Writers share one for their whole life. Backup and repair hold off
// retention with another: only a process that holds it exclusively may remove files. A feed has its event for itself.
import type { DatabaseSync } from "node:sqlite";
import {
  openLockFile,
  takeShared,
  toFileLock,
  tryExclusive,
  type FileLock,
} from "../../platform/locks/file-lock.ts";

/**
 * Takes the writers' shared lock. If no other process has it, runs `whenAlone` first and holds all others off
 * meanwhile: what lies in staging is then left over. @throws the error of SQLite or of `whenAlone`
 */
export async function acquireWriterLock(file: string, whenAlone: () => Promise<void>): Promise<FileLock> {
  return takeLock(file, async (lock) => {
    if (!tryExclusive(lock)) return;
    try {
      await whenAlone();
    } finally {
      lock.exec("COMMIT");
    }
  });
}

/** Waits until no retention is running; none starts until the lock is closed. @throws the error of SQLite */
export function holdRetentionOff(file: string): Promise<FileLock> {
  return takeLock(file, () => Promise.resolve());
}

/** Runs `work`, or returns undefined if retention is held off or already running. @throws the error of `work` */
export async function withRetentionLock<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = openLockFile(file);
  try {
    return tryExclusive(lock) ? await work() : undefined;
  } finally {
    lock.close();
  }
}

/** Takes the lock of an event's feed until it is closed. Returns undefined if another process has it. */
export function tryFeedLock(file: string): FileLock | undefined {
  const lock = openLockFile(file);
  try {
    if (tryExclusive(lock)) return toFileLock(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  lock.close();
  return undefined;
}

async function takeLock(file: string, before: (lock: DatabaseSync) => Promise<void>): Promise<FileLock> {
  const lock = openLockFile(file);
  try {
    await before(lock);
    await takeShared(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  return toFileLock(lock);
}
