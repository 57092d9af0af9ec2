// Object store in a folder, for a service whose machines share a file system, and for tests. Objects are files below
// `objects/`; those being written are in `staging/`.
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { AppError } from "../../../../shared/app-error.ts";
import { isFolder, makeFolder } from "../../../platform/disk/make-folder.ts";
import { writeThenRename } from "../../../platform/disk/replace-file.ts";
import { systemCode, toStorageError } from "../../../platform/disk/storage-error.ts";
import { syncFolder } from "../../../platform/disk/sync-folder.ts";
import type { ObjectFacts, ObjectStore } from "../object-store.ts";

export interface FolderObjectStoreOptions {
  /** Absolute path of a folder; `prepare` creates it. */
  readonly folder: string;
}

export function createFolderObjectStore({ folder }: FolderObjectStoreOptions): ObjectStore {
  const objects = join(folder, "objects");
  const staging = join(folder, "staging");
  const syncedFolders = new Set<string>();

  /** Creates the folder of an object, and waits until all names on the way to it are on disk. */
  const makeDurably = async (path: string): Promise<void> => {
    if (syncedFolders.has(path)) return;
    await makeFolder(path);
    for (let at = path; at !== folder; at = dirname(at)) await syncFolder(dirname(at));
    syncedFolders.add(path);
  };

  return {
    async put(key, bytes, signal) {
      signal?.throwIfAborted();
      const file = placeOf(objects, key);
      try {
        await makeDurably(dirname(file));
        await mkdir(staging, { recursive: true });
        await writeThenRename(file, bytes, { staged: join(staging, `${process.pid}-${randomUUID()}`) });
        await syncFolder(dirname(file));
      } catch (error) {
        throw toStorageError(error, "An object could not be stored");
      }
    },
    async get(key, { byteLimit = Infinity, signal } = {}) {
      signal?.throwIfAborted();
      try {
        // The end is included.
        return await buffer(createReadStream(placeOf(objects, key), { end: byteLimit }));
      } catch (error) {
        if (systemCode(error) === "ENOENT") return undefined;
        throw toStorageError(error, "An object could not be read");
      }
    },
    async remove(keys) {
      try {
        for (const key of keys) await rm(placeOf(objects, key), { force: true });
      } catch (error) {
        throw toStorageError(error, "An object could not be removed");
      }
    },
    list: (prefix) => listObjects(objects, prefix),
    async prepare() {
      try {
        await makeDurably(objects);
      } catch (error) {
        throw toStorageError(error, "The folder of `objects.url` cannot be used");
      }
    },
    async check() {
      // A folder that is missing here is on the disk that is not mounted.
      const isReady = await isFolder(objects).catch((error: unknown) => {
        throw toStorageError(error, "The folder of `objects.url` cannot be used");
      });
      if (isReady) return;
      throw new AppError(
        "storage-failed",
        "The folder of `objects.url` is missing; mount it on this machine, or run `echotop migrate` if it is new.",
      );
    },
    close: () => Promise.resolve(),
  };
}

const keyPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Refuses a damaged key that would lead out of the folder. */
function placeOf(objects: string, key: string): string {
  if (!keyPattern.test(key)) throw new AppError("stored-data-invalid", "The key of an object is not valid.");
  return join(objects, key);
}

async function* listObjects(objects: string, prefix: string): AsyncGenerator<ObjectFacts> {
  // Everything with the prefix is in the folder before its last slash.
  const start = join(objects, prefix.slice(0, prefix.lastIndexOf("/") + 1));
  const folders = [start];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await listFolder(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const key = relative(objects, path).split(sep).join("/");
      if (!entry.isFile() || !key.startsWith(prefix)) continue;
      const facts = await findFacts(path);
      if (facts) yield { key, ...facts };
    }
  }
}

async function listFolder(
  path: string,
): Promise<{ name: string; isDirectory(): boolean; isFile(): boolean }[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw toStorageError(error, "The objects could not be listed");
  }
}

/** Returns undefined for a file that has been removed meanwhile. */
async function findFacts(path: string): Promise<Omit<ObjectFacts, "key"> | undefined> {
  try {
    const { size, mtime } = await stat(path);
    return { byteLength: size, modifiedAt: mtime.toISOString() };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw toStorageError(error, "The objects could not be listed");
  }
}
