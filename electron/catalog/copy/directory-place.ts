// A data directory as a side of a copy.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../shared/app-error.ts";
import { writeNewFile } from "../../platform/disk/replace-file.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";
import { dataDirectory } from "../files/data-directory.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import { createSourceStore } from "../files/file-source-store.ts";
import { createStoredFiles } from "../files/stored-files.ts";
import { openDatabase } from "../sqlite/catalog-database.ts";
import { createDirectoryRowWriter } from "../sqlite/copying/directory-row-writer.ts";
import { createDirectoryRows } from "../sqlite/copying/directory-rows.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import type { CopySource, CopyTarget } from "./copied-places.ts";

/** @throws AppError `not-found` if there is no catalog, and as `openReadableCatalog` does */
export async function openDirectorySource(directory: string): Promise<CopySource> {
  const { catalogFile } = dataDirectory(directory);
  if (!existsSync(catalogFile)) {
    throw new AppError("not-found", "There is no catalog in the directory to copy from.");
  }
  return toSource(directory, await explained(openDatabase(catalogFile, "read")));
}

/** Creates a missing directory. @throws AppError `conflict` for a folder with other content; as `openCatalog` does */
export async function openDirectoryTarget(directory: string): Promise<CopyTarget> {
  const folders = dataDirectory(directory);
  await requireOurs(directory);
  // As long as it is open, this process counts as a writer.
  const catalog = await openCatalog({ directory, now: () => new Date() });
  const database = await explained(openDatabase(folders.catalogFile, "write"));
  const files = createStoredFiles(folders);
  const frames = createFrameStore({ directory, cacheByteLimit: 0 });
  const sources = createSourceStore({ directory });
  const source = toSource(directory, database);
  const has = {
    frames: (sha256: string) => files.hasFrame(sha256),
    sources: (sha256: string) => sources.has(sha256),
  };
  return {
    ...source,
    writer: createDirectoryRowWriter(database, files),
    findStored: async (kind, sha256s) => {
      const stored = new Set<string>();
      for (const sha256 of sha256s) if (await has[kind](sha256)) stored.add(sha256);
      return stored;
    },
    put: async (kind, bytes) => {
      if (kind === "frames") await frames.put(bytes);
      else await sources.put(await stage(folders.stagingFolder, bytes));
    },
    close: async () => {
      await source.close();
      await catalog.close();
    },
  };
}

function toSource(directory: string, database: DatabaseSync): CopySource {
  const frames = createFrameStore({ directory, cacheByteLimit: 0 });
  const sources = createSourceStore({ directory });
  return {
    rows: createDirectoryRows(database),
    read: (kind, sha256) => (kind === "frames" ? frames.read(sha256) : sources.read(sha256)),
    close: () => {
      if (database.isOpen) database.close();
      return Promise.resolve();
    },
  };
}

async function stage(stagingFolder: string, bytes: Uint8Array): Promise<string> {
  const path = join(stagingFolder, randomUUID());
  try {
    await mkdir(stagingFolder, { recursive: true });
    await writeNewFile(path, bytes);
    return path;
  } catch (error) {
    throw toStorageError(error, "A source file could not be stored");
  }
}

/** Names that a catalog may leave before it has its file. */
const ourNames = /^(?:frames|staging|sources|[\w-]+\.lock(?:-\w+)?)$/;

/** Keeps a copy from spilling into a folder of something else. */
async function requireOurs(directory: string): Promise<void> {
  if (existsSync(dataDirectory(directory).catalogFile)) return;
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw toStorageError(error, "The directory to copy to cannot be used");
  }
  if (names.every((name) => ourNames.test(name))) return;
  throw new AppError(
    "conflict",
    "The folder to copy to has other content and no catalog; choose an empty or a new one.",
  );
}

async function explained<Result>(opening: Promise<Result>): Promise<Result> {
  try {
    return await opening;
  } catch (error) {
    throw toStorageError(error, "The data directory could not be opened");
  }
}
