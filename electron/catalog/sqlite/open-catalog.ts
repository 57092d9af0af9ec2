// Opens the embedded catalog of a data directory (SQLite with a write-ahead log) for reading or writing.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import type { Catalog, ReadableCatalog } from "../catalog.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { checkVersion } from "../../platform/sqlite/open-sqlite-file.ts";
import { createDataDirectory, dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { clearStaging } from "../files/staging-folder.ts";
import { openDatabase } from "./catalog-database.ts";
import { createReader } from "./reading/catalog-reader.ts";
import { catalogKind } from "./schema/catalog-schema.ts";
import { createPrepare } from "./queries.ts";
import { Snapshots } from "./reading/snapshots.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { createStoredFiles, type StoredFiles } from "../files/stored-files.ts";
import { acquireWriterLock } from "../files/directory-locks.ts";
import { createWorkReader } from "./reading/work-reader.ts";
import { createWriter } from "./writing/catalog-writer.ts";

export interface CatalogOptions {
  readonly directory: string;
  /** Clock for publication times. */
  readonly now: () => Date;
  /** Frames and sources; default: those of the directory. */
  readonly files?: StoredFiles;
}

/**
 * Opens the catalog for writing, and creates a missing directory. While it is open, the process counts as a writer and
 * may store frames. If there is no other writer, removes what a crashed one left in staging.
 * @throws AppError `conflict` for a directory of a newer version, which stays unchanged; `stored-data-invalid` if the
 * catalog is not a database, or is missing although there are frames; `storage-failed` for errors of the disk
 */
export async function openCatalog({ directory, now, files }: CatalogOptions): Promise<Catalog> {
  return withExplanation(async () => {
    const folders = dataDirectory(directory);
    checkVersion(folders.catalogFile, catalogKind);
    await requireNotLost(folders);
    await createDataDirectory(folders);
    const lock = await acquireWriterLock(folders.writersLock, () => clearStaging(folders.stagingFolder));
    try {
      const database = await openDatabase(folders.catalogFile, "write");
      await syncFolder(folders.root);
      const prepare = createPrepare(database);
      const snapshots = new Snapshots(prepare);
      return {
        ...createReader(prepare, snapshots),
        ...createWorkReader(prepare),
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
 * Opens the catalog for reading only. Migrates an older version.
 * @throws AppError `not-found` if there is no catalog, and as `openCatalog` does
 */
export async function openReadableCatalog({
  directory,
}: Pick<CatalogOptions, "directory">): Promise<ReadableCatalog> {
  return withExplanation(async () => {
    const { catalogFile } = dataDirectory(directory);
    if (!existsSync(catalogFile)) {
      throw new AppError("not-found", "There is no catalog in this data directory.");
    }
    const database = await openDatabase(catalogFile, "read");
    const prepare = createPrepare(database);
    const snapshots = new Snapshots(prepare);
    return {
      ...createReader(prepare, snapshots),
      ...createWorkReader(prepare),
      close: closeOnce(() => {
        snapshots.close();
        database.close();
      }),
    };
  });
}

async function withExplanation<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw toStorageError(error, "The data directory could not be opened");
  }
}

/** Prevents a new catalog next to old frames: it would use the sequences of their events again. */
async function requireNotLost({ catalogFile, framesFolder }: DataDirectory): Promise<void> {
  if (existsSync(catalogFile) || !existsSync(framesFolder)) return;
  if ((await readdir(framesFolder)).length === 0) return;
  throw new AppError(
    "stored-data-invalid",
    "The catalog is missing, but there are frames: restore catalog.sqlite, or move the folder frames away to start over.",
  );
}

function closeOnce(close: () => void): () => Promise<void> {
  let closed = false;
  return () => {
    if (!closed) close();
    closed = true;
    return Promise.resolve();
  };
}
