// Creates a folder with its missing parents.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./storage-error.ts";

/**
 * Creates one folder after the other: Node's own recursion never ends below `/proc`, and reports a read-only disk as a
 * missing folder. `mode` applies to the new folders. Returns the first one created; undefined if all existed. Throws
 * the errors of the disk, `EEXIST` if a file is in the way.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  // The root of a missing drive is its own parent; `mkdir` then throws.
  const firstMade = dirname(path) === path ? undefined : await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (systemCode(error) === "EEXIST" && (await isFolder(path))) return firstMade;
    throw error;
  }
  return firstMade ?? path;
}

/** Returns false for a missing path too. @throws the other errors of `stat` */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
