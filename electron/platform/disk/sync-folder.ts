// Makes file names durable: syncing a file does not sync the folder entry that names it. Does nothing if the system has
// no such call (Windows, some network file systems).
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/** Waits until the names in a folder are on disk. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    await folder.close();
  }
}

/** Blocks until the names in a folder are on disk. */
export function syncFolderSync(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    closeSync(folder);
  }
}

function isUnsupported(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EINVAL" || code === "ENOTSUP";
}
