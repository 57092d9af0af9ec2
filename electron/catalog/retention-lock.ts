// Holds retention off: whoever copies or repairs a directory shares the lock, and files are removed only by a process that
// has it alone.
import {
  openLockFile,
  takeShared,
  toFileLock,
  tryExclusive,
  type FileLock,
} from "../platform/locks/file-lock.ts";

/** Resolves once no retention is under way; none begins until the lock is closed. @throws the error of SQLite */
export async function holdRetentionOff(file: string): Promise<FileLock> {
  const lock = openLockFile(file);
  try {
    await takeShared(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  return toFileLock(lock);
}

/** Runs `work` unless retention is held off or under way elsewhere; undefined if so. @throws what `work` throws */
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
