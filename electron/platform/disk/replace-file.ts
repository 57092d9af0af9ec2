// Writes whole files: after a crash, a name refers to the old content or to the new one, never to part of it.
import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

export interface ReplaceOptions {
  /** Permissions of the file; default 0o600, readable by its owner only. */
  readonly mode?: number;
  /** False skips waiting for the disk: after a power cut the file may be missing or empty. Default true. */
  readonly isDurable?: boolean;
}

/** Creates a file that must not exist, and waits until its bytes are on disk. Its name needs `syncFolder`. */
export async function writeNewFile(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  await writeNew(path, content, { mode, isDurable: true });
}

/** Writes `staged` as `writeNewFile` does, then renames it to `path`. The name needs `syncFolder`. */
export async function writeThenRename(
  path: string,
  content: string | Uint8Array,
  { staged, mode = 0o666, isDurable = true }: ReplaceOptions & { readonly staged: string },
): Promise<void> {
  try {
    await writeNew(staged, content, { mode, isDurable });
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
}

/** Creates or replaces a file durably, along with missing folders. Throws the errors of the disk. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isDurable = true }: ReplaceOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const staged = `${path}.${randomBytes(6).toString("hex")}.new`;
  await writeThenRename(path, content, { staged, mode, isDurable });
  if (isDurable) await syncFolder(folder);
}

/** Creates or replaces a small file at once, along with missing folders. Does not wait for the disk. */
export function replaceFileSync(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const staged = `${path}.${process.pid}.new`;
  writeFileSync(staged, content);
  renameSync(staged, path);
}

async function writeNew(
  path: string,
  content: string | Uint8Array,
  { mode, isDurable }: Required<ReplaceOptions>,
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content);
    if (isDurable) await file.sync();
  } finally {
    await file.close();
  }
}
