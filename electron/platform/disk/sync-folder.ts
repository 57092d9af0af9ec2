// Making names durable: a file's own sync says nothing of the entry that names it.
import { open } from "node:fs/promises";

/** Waits until the names in a folder are on disk. Does nothing where the system has no such call (Windows, some networks). */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EINVAL" && code !== "ENOTSUP") throw error;
  } finally {
    await folder.close();
  }
}
