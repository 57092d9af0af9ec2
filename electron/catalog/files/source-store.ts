// Source store: downloaded source files in a folder, from which frames can be restored. Each file is named by its
// SHA-256, and complete and on disk before it has its name. The catalog removes them with the revisions that were made
// from them.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { isSha256 } from "../../platform/sha256.ts";
import { dataDirectory, sourceLocations } from "./data-directory.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";

export interface KeptSource {
  /** SHA-256 of the file, lower-case hex; `sourceSha256` of a layer. */
  readonly sha256: string;
  readonly byteLength: number;
  /** Absolute path. */
  readonly path: string;
}

export interface SourceStore {
  /**
   * Moves a finished download, on the same disk, into the store. It survives a power cut once the promise resolves.
   * Each content is stored once; the catalog's `discardSources` removes useless ones. Throws `storage-failed`, and
   * `source-invalid` if there is no file.
   */
  put(path: string): Promise<KeptSource>;
  /** Returns the path of a stored file; undefined if there is none. */
  find(sha256: string): Promise<string | undefined>;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

export function createSourceStore({ directory }: { readonly directory: string }): SourceStore {
  const { root, sourcesFolder } = dataDirectory(directory);
  const find = (sha256: string): string | undefined => {
    if (!isSha256(sha256)) return undefined;
    const { gzip, plain } = sourceLocations(sourcesFolder, sha256);
    return [gzip, plain].find((path) => existsSync(path));
  };
  const keep = async (path: string): Promise<KeptSource> => {
    const { sha256, byteLength, isGzip } = await settle(path);
    const { folder, gzip, plain } = sourceLocations(sourcesFolder, sha256);
    await mkdir(folder, { recursive: true });
    await Promise.all([syncFolder(root), syncFolder(sourcesFolder)]);
    const kept = isGzip ? gzip : plain;
    // This also repairs a damaged file.
    await rename(path, kept);
    await syncFolder(folder);
    return { sha256, byteLength, path: kept };
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
    find: (sha256) => Promise.resolve(find(sha256)),
  };
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
