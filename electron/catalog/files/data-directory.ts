// Layout of a data directory, and the durable creation of its folders.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";

export interface DataDirectory {
  readonly root: string;
  readonly catalogFile: string;
  /** `<first two hexadecimal digits>/<SHA-256>.png` */
  readonly framesFolder: string;
  /** Files being written, on their way to `framesFolder`; worthless after a crash. */
  readonly stagingFolder: string;
  /** Stored source files: `<first two hexadecimal digits>/<SHA-256>.grib2.gz`, or `.grib2` */
  readonly sourcesFolder: string;
  /** An SQLite file that is only locked, never written. Writers share the lock. */
  readonly writersLock: string;
  /** Another lock file: retention takes it exclusively, backups share it. */
  readonly retentionLock: string;
  /** Returns the lock file of an event's feed, which the process of the feed takes exclusively. */
  readonly feedLock: (eventId: string) => string;
}

export function dataDirectory(root: string): DataDirectory {
  return {
    root,
    catalogFile: join(root, "catalog.sqlite"),
    framesFolder: join(root, "frames"),
    stagingFolder: join(root, "staging"),
    sourcesFolder: join(root, "sources"),
    writersLock: join(root, "writers.lock"),
    retentionLock: join(root, "retention.lock"),
    feedLock: (eventId) => join(root, `feed-${eventId}.lock`),
  };
}

/** Returns the place of a frame below `framesFolder`. */
export function frameLocation(framesFolder: string, frameId: string): { folder: string; file: string } {
  const folder = join(framesFolder, frameId.slice(0, 2));
  return { folder, file: join(folder, `${frameId}.png`) };
}

/** Returns the places below `sourcesFolder` where a source file may be stored: one of the two. */
export function sourceLocations(
  sourcesFolder: string,
  sha256: string,
): { folder: string; gzip: string; plain: string } {
  const folder = join(sourcesFolder, sha256.slice(0, 2));
  return { folder, gzip: join(folder, `${sha256}.grib2.gz`), plain: join(folder, `${sha256}.grib2`) };
}

/** Creates missing folders durably. @throws errors of the disk; AppError `storage-failed` */
export async function createDataDirectory({
  root,
  framesFolder,
  stagingFolder,
}: DataDirectory): Promise<void> {
  const firstMade = await makeRoot(root);
  await mkdir(framesFolder, { recursive: true });
  await mkdir(stagingFolder, { recursive: true });
  await syncFolder(root);
  if (firstMade !== undefined) await syncFolder(dirname(firstMade));
}

/** Explains the error of places without folders, such as `/proc` or a missing drive. */
async function makeRoot(root: string): Promise<string | undefined> {
  try {
    return await makeFolder(root);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new AppError(
      "storage-failed",
      "The data directory cannot be created in this place; choose another.",
      {
        cause: error,
      },
    );
  }
}
