// Source store of a service: downloaded source files in an object store.
import { readFile, rm } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";
import type { SourceStore } from "../files/source-store.ts";
import { createBlobStore, type BlobStoreOptions } from "./blob-store.ts";

export function createObjectSourceStore(options: Omit<BlobStoreOptions, "kind">): SourceStore {
  const store = createBlobStore({ ...options, kind: "sources" });
  return {
    async put(path) {
      const bytes = await readDownload(path);
      const sha256 = await store.put(bytes);
      await rm(path, { force: true });
      return { sha256, byteLength: bytes.byteLength };
    },
    has: async (sha256) => (await options.blobs.find(sha256)) !== undefined,
    read: (sha256) => store.read(sha256),
  };
}

async function readDownload(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      throw new AppError("source-invalid", "The file does not exist.", { cause: error });
    }
    throw toStorageError(error, "A source file could not be stored");
  }
}
