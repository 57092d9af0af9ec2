// Locks of a data directory between processes. Writers share one for their whole life. Backup and repair hold off
// retention with another: only a process that holds it exclusively may remove files. Publications share a third one
// from their look at the frames until their commit; frames are removed only while it is held exclusively. A feed has
// its event for itself.
import type { DatabaseSync } from "node:sqlite";
import {
  openLockFile,
  takeShared,
  toFileLock,
  tryExclusive,
  type FileLock,
} from "../../platform/locks/file-lock.ts";
import { retryWhileBusy } from "../../platform/sqlite/busy-retry.ts";

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

/** Takes the exclusive lock of the frames for `work`. Waits for running publications. @throws the error of `work` */
export async function withoutPublications<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = openLockFile(file);
  try {
    await retryWhileBusy(() => {
      lock.exec("BEGIN EXCLUSIVE");
    });
    return await work();
  } finally {
    lock.close();
  }
}

/** The shared lock of the frames; publications of this process take it together. */
export interface PublicationLock {
  /** Runs `work` while no frame is removed. @throws the errors of SQLite and of `work` */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Idempotent. */
  close(): void;
}

export function openPublicationLock(file: string): PublicationLock {
  const lock = openLockFile(file);
  let holders = 0;
  let taken: Promise<void> | undefined;
  return {
    async hold(work) {
      holders += 1;
      try {
        await (taken ??= takeShared(lock));
        return await work();
      } finally {
        holders -= 1;
        if (holders === 0) {
          taken = undefined;
          if (lock.isOpen && lock.isTransaction) lock.exec("COMMIT");
        }
      }
    },
    ...toFileLock(lock),
  };
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
