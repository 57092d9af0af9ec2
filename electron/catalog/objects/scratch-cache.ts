// Cache of immutable bytes in a folder, in files named by their SHA-256. It may vanish at any time. A disk that fails
// makes reading slower, and nothing else. Processes that share a folder may together use more than the limit.
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { isSha256, sha256Of } from "../../platform/sha256.ts";

export interface ScratchCache {
  /** Returns cached bytes with this hash; undefined if there are none. */
  read(sha256: string): Promise<Uint8Array | undefined>;
  /** Caches bytes, and removes the least recently used ones above the limit. */
  write(sha256: string, bytes: Uint8Array): Promise<void>;
}

export interface ScratchCacheOptions {
  readonly folder: string;
  readonly byteLimit: number;
}

/** Goes on with what is in the folder. */
export async function createScratchCache({ folder, byteLimit }: ScratchCacheOptions): Promise<ScratchCache> {
  // A Map keeps insertion order: the first entry is the least recently used.
  const sizes = new Map<string, number>();
  let total = 0;
  const note = (sha256: string, byteLength: number): void => {
    total += byteLength - (sizes.get(sha256) ?? 0);
    sizes.delete(sha256);
    sizes.set(sha256, byteLength);
  };
  const remove = async (sha256: string): Promise<void> => {
    total -= sizes.get(sha256) ?? 0;
    sizes.delete(sha256);
    await ignoreDisk(() => rm(join(folder, sha256), { force: true }));
  };
  const trim = async (): Promise<void> => {
    for (const oldest of sizes.keys()) {
      if (total <= byteLimit) return;
      await remove(oldest);
    }
  };

  for (const { name, byteLength } of await listOldestFirst(folder)) {
    if (isSha256(name)) note(name, byteLength);
    // A kill leaves what was being written.
    else await ignoreDisk(() => rm(join(folder, name), { force: true }));
  }
  await trim();

  return {
    async read(sha256) {
      const byteLength = sizes.get(sha256);
      if (byteLength === undefined) return undefined;
      const bytes = await ignoreDisk(() => readFile(join(folder, sha256)));
      if (bytes === undefined || sha256Of(bytes) !== sha256) {
        await remove(sha256);
        return undefined;
      }
      note(sha256, byteLength);
      return bytes;
    },
    async write(sha256, bytes) {
      if (bytes.byteLength > byteLimit) return;
      note(sha256, bytes.byteLength);
      await trim();
      await ignoreDisk(() => replaceFile(join(folder, sha256), bytes, { isDurable: false }));
    },
  };
}

/** Returns undefined if the disk refuses. */
async function ignoreDisk<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

async function listOldestFirst(folder: string): Promise<{ name: string; byteLength: number }[]> {
  const names = (await ignoreDisk(() => readdir(folder))) ?? [];
  const files = await Promise.all(
    names.map(async (name) => {
      const stats = await ignoreDisk(() => stat(join(folder, name)));
      return { name, byteLength: stats?.size ?? 0, modifiedMs: stats?.mtimeMs ?? 0 };
    }),
  );
  return files.toSorted((left, right) => left.modifiedMs - right.modifiedMs);
}
