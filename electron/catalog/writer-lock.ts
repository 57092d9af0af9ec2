// The lock that writing processes share for their whole life: a process that gets it alone knows that whatever lies in
// staging is left over.
import {
  openLockFile,
  takeShared,
  toFileLock,
  tryExclusive,
  type FileLock,
} from "../platform/locks/file-lock.ts";

/**
 * Takes the shared lock. `whenAlone` runs first, and holds all others off, if no process has it.
 * @throws the error of SQLite or of `whenAlone`
 */
export async function acquireWriterLock(file: string, whenAlone: () => Promise<void>): Promise<FileLock> {
  const lock = openLockFile(file);
  try {
    if (tryExclusive(lock)) {
      try {
        await whenAlone();
      } finally {
        lock.exec("COMMIT");
      }
    }
    await takeShared(lock);
  } catch (error) {
    lock.close();
    throw error;
  }
  return toFileLock(lock);
}
