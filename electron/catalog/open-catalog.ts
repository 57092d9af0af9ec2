// Opens the embedded catalog of a data directory: SQLite with a write-ahead log, for reading or for writing.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../shared/app-error.ts";
import type { Catalog, ReadableCatalog } from "./catalog.ts";
import { syncFolder } from "../platform/disk/sync-folder.ts";
import { checkVersion } from "../platform/sqlite/open-sqlite-file.ts";
import { createDataDirectory, dataDirectory, type DataDirectory } from "./files/data-directory.ts";
import { openDatabase } from "./catalog-database.ts";
import { createReader } from "./catalog-reader.ts";
import { catalogKind } from "./catalog-schema.ts";
import { Snapshots } from "./snapshots.ts";
import { toStorageError } from "../platform/disk/storage-error.ts";
import { createStoredFiles, type StoredFiles } from "./files/stored-files.ts";
import { acquireWriterLock } from "./directory-locks.ts";
import { createWorkReader } from "./work-reader.ts";
import { createWriter } from "./catalog-writer.ts";

export interface CatalogOptions {
  /** The data directory. */
  readonly directory: string;
  /** The current instant; publication times come from it. */
  readonly now: () => Date;
  /** The files beside the catalog; those of the directory unless given. */
  readonly files?: StoredFiles;
}

/**
 * Opens the catalog for writing, and makes the directory where there is none. As long as it is open, the process counts as
 * a writer and may put frames into the directory's frame store; whatever a crashed writer left in staging is removed when
 * no other writer is there.
 * @throws AppError `conflict` for a directory of a newer version, which stays as it is; `stored-data-invalid` for a catalog
 * that is no database, or is missing beside frames; `storage-failed` where the disk refuses
 */
export async function openCatalog({ directory, now, files }: CatalogOptions): Promise<Catalog> {
  return explained(async () => {
    const folders = dataDirectory(directory);
    checkVersion(folders.catalogFile, catalogKind);
    await requireNotLost(folders);
    await createDataDirectory(folders);
    const lock = await acquireWriterLock(folders.writersLock, () => clearStaging(folders));
    try {
      const database = await openDatabase(folders.catalogFile, "write");
      await syncFolder(folders.root);
      const snapshots = new Snapshots(database);
      return {
        ...createReader(database, snapshots),
        ...createWorkReader(database),
        ...createWriter(database, snapshots, {
          now,
          files: files ?? createStoredFiles(folders),
          retentionLock: folders.retentionLock,
        }),
        close: closeOnce(() => {
          snapshots.close();
          database.close();
          lock.close();
        }),
      };
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

/**
 * Opens the catalog for reading alone. Brings one of an older version to the present one.
 * @throws AppError `not-found` where there is no catalog, and as `openCatalog` does
 */
export async function openReadableCatalog({
  directory,
}: Pick<CatalogOptions, "directory">): Promise<ReadableCatalog> {
  return explained(async () => {
    const { catalogFile } = dataDirectory(directory);
    if (!existsSync(catalogFile)) {
      throw new AppError("not-found", "There is no catalog in this data directory.");
    }
    const database = await openDatabase(catalogFile, "read");
    const snapshots = new Snapshots(database);
    return {
      ...createReader(database, snapshots),
      ...createWorkReader(database),
      close: closeOnce(() => {
        snapshots.close();
        database.close();
      }),
    };
  });
}

async function explained<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw toStorageError(error, "The data directory could not be opened");
  }
}

/** A new catalog beside old frames would begin their events anew, with sequences that were used before. */
async function requireNotLost({ catalogFile, framesFolder }: DataDirectory): Promise<void> {
  if (existsSync(catalogFile) || !existsSync(framesFolder)) return;
  if ((await readdir(framesFolder)).length === 0) return;
  throw new AppError(
    "stored-data-invalid",
    "The catalog is missing, although there are frames: put catalog.sqlite back, or move the folder frames away to begin anew.",
  );
}

async function clearStaging({ stagingFolder }: DataDirectory): Promise<void> {
  for (const name of await readdir(stagingFolder)) {
    await rm(join(stagingFolder, name), { force: true, recursive: true });
  }
}

function closeOnce(close: () => void): () => Promise<void> {
  let closed = false;
  return () => {
    if (!closed) close();
    closed = true;
    return Promise.resolve();
  };
}
