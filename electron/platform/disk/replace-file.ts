// Small files that are written whole: the old text or the new one, whatever happens in between.
import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

export interface ReplaceOptions {
  /** Permissions of the file; readable by its owner alone unless given. */
  readonly mode?: number;
}

/** Puts a file in place of the one before, durably; folders that are missing are made. Throws what the system throws. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600 }: ReplaceOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const staged = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    const file = await open(staged, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
