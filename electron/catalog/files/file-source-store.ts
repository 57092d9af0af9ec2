// Source store in a folder: each file is named by its SHA-256, and complete and on disk before it has its name.
import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { isSha256, sha256Of } from "../../platform/sha256.ts";
import { dataDirectory, sourceLocations } from "./data-directory.ts";
import type { KeptSource, SourceStore } from "./source-store.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

const gzipMagic = Buffer.from([0x1f, 0x8b]);

export function createSourceStore({ directory }: { readonly directory: string }): SourceStore {
  const { root, sourcesFolder } = dataDirectory(directory);
  const keep = async (path: string): Promise<KeptSource> => {
    const { sha256, byteLength, isGzip } = await settle(path);
    const { folder, gzip, plain } = sourceLocations(sourcesFolder, sha256);
    await mkdir(folder, { recursive: true });
    await Promise.all([syncFolder(root), syncFolder(sourcesFolder)]);
    const kept = isGzip ? gzip : plain;
    // This also repairs a damaged file.
    await rename(path, kept);
    await syncFolder(folder);
    return { sha256, byteLength };
  };
  return {
    put: async (path) => {
      try {
        return await keep(path);
      } catch (error) {
        if (systemCode(error) === "ENOENT") {
          throw new AppError("source-invalid", "The file does not exist.", { cause: error });
        }
        throw toStorageError(error, "A source file could not be stored");
      }
    },
    has: async (sha256) => (await find(sourcesFolder, sha256)) !== undefined,
    read: async (sha256) => {
      try {
        const path = await find(sourcesFolder, sha256);
        const bytes = path === undefined ? undefined : await readFile(path);
        if (bytes && sha256Of(bytes) !== sha256) {
          throw new AppError("stored-data-invalid", "A stored source file does not match its name.", {
            context: { sha256 },
          });
        }
        return bytes;
      } catch (error) {
        // It was removed meanwhile.
        if (systemCode(error) === "ENOENT") return undefined;
        throw toStorageError(error, "A source file could not be read");
      }
    },
  };
}

async function find(sourcesFolder: string, sha256: string): Promise<string | undefined> {
  if (!isSha256(sha256)) return undefined;
  const { gzip, plain } = sourceLocations(sourcesFolder, sha256);
  for (const path of [gzip, plain]) if (await isFile(path)) return path;
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return false;
    throw toStorageError(error, "A source file could not be checked");
  }
}

/** Hashes a file, and waits until it is on disk. */
async function settle(path: string): Promise<{ sha256: string; byteLength: number; isGzip: boolean }> {
  const file = await open(path, "r+");
  try {
    const hash = createHash("sha256");
    let isGzip = false;
    let byteLength = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
      const bytes = chunk as Buffer;
      if (byteLength === 0) isGzip = bytes.subarray(0, gzipMagic.length).equals(gzipMagic);
      hash.update(bytes);
      byteLength += bytes.byteLength;
    }
    await file.sync();
    return { sha256: hash.digest("hex"), byteLength, isGzip };
  } finally {
    await file.close();
  }
}
