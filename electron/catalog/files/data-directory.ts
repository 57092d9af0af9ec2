// The layout of a data directory, and making its folders so that they outlive a power cut.
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
  /** Files on their way into `framesFolder`; worthless after a crash. */
  readonly stagingFolder: string;
  /** Source files that are kept: `<first two hexadecimal digits>/<SHA-256>.grib2.gz`, or `.grib2` */
  readonly sourcesFolder: string;
  /** An SQLite file that is only locked, never written. */
  readonly writersLock: string;
  /** Likewise: retention holds it alone, and those whom retention would disturb share it. */
  readonly retentionLock: string;
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
  };
}

/** Where a frame lies below `framesFolder`. */
export function frameLocation(framesFolder: string, frameId: string): { folder: string; file: string } {
  const folder = join(framesFolder, frameId.slice(0, 2));
  return { folder, file: join(folder, `${frameId}.png`) };
}

/** Where a source file lies below `sourcesFolder` if it is kept, as one of the two. */
export function sourceLocations(
  sourcesFolder: string,
  sha256: string,
): { folder: string; gzip: string; plain: string } {
  const folder = join(sourcesFolder, sha256.slice(0, 2));
  return { folder, gzip: join(folder, `${sha256}.grib2.gz`), plain: join(folder, `${sha256}.grib2`) };
}

/** Makes the directory and its folders where they are missing, durably. @throws what the system throws; `storage-failed` */
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

/** Some places have no folders to make, as `/proc` or a drive that is not there. */
async function makeRoot(root: string): Promise<string | undefined> {
  try {
    return await makeFolder(root);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new AppError("storage-failed", "The data directory cannot be made where it is to be.", {
      cause: error,
    });
  }
}
