// Making a folder with all that is missing above it.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCode } from "./storage-error.ts";

/**
 * One folder after the other: Node's own recursion never ends where the system has no folders to make, as below `/proc`, and
 * says of a read-only disk that something is missing. Returns the first folder made, undefined where all were there; `mode` is
 * that of those made. Throws what the system throws, `EEXIST` where a file stands in its place.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await isFolder(path)) return undefined;
  // The root of a drive that is not there is its own parent; `mkdir` says so.
  const firstMade = dirname(path) === path ? undefined : await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (systemCode(error) === "EEXIST" && (await isFolder(path))) return firstMade;
    throw error;
  }
  return firstMade ?? path;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
