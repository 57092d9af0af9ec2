// The folder of files on their way to a store. What a process leaves there when it is killed, is removed by the next
// one that has the folder for itself.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import type { FileLock } from "../../platform/locks/file-lock.ts";
import { acquireWriterLock } from "./directory-locks.ts";

/** Creates the staging folder of a service's scratch folder. The process counts as a user of it until `close`. */
export async function openStaging(folder: string): Promise<FileLock> {
  await makeFolder(folder);
  return acquireWriterLock(`${folder}.lock`, () => clearStaging(folder));
}

export async function clearStaging(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
}
