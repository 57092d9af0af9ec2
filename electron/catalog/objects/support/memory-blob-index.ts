// An index of blobs in memory, for tests of what is above and below it.
import type { BlobIndex } from "../blob-index.ts";

export interface MemoryBlobIndex extends BlobIndex {
  readonly rows: Map<string, string>;
  readonly condemned: Set<string>;
  /** Deletes a row, and condemns its object. */
  forget(sha256: string): void;
}

export function createMemoryBlobIndex(): MemoryBlobIndex {
  const rows = new Map<string, string>();
  const lengths = new Map<string, number>();
  const condemned = new Set<string>();
  return {
    rows,
    condemned,
    forget(sha256) {
      condemned.add(rows.get(sha256)!);
      rows.delete(sha256);
    },
    find: (sha256) => {
      const objectKey = rows.get(sha256);
      return Promise.resolve(
        objectKey === undefined ? undefined : { objectKey, byteLength: lengths.get(sha256)! },
      );
    },
    findAll: (sha256s) => Promise.resolve(new Map([...rows].filter(([sha256]) => sha256s.includes(sha256)))),
    add(sha256, objectKey, byteLength) {
      if (rows.has(sha256)) return Promise.resolve(false);
      lengths.set(sha256, byteLength);
      rows.set(sha256, objectKey);
      return Promise.resolve(true);
    },
    replace(sha256, oldKey, newKey) {
      if (rows.get(sha256) !== oldKey) return Promise.resolve(false);
      rows.set(sha256, newKey);
      condemned.add(oldKey);
      return Promise.resolve(true);
    },
    takeCondemned: (limit) => Promise.resolve([...condemned].slice(0, limit)),
    forgetCondemned(keys) {
      for (const key of keys) condemned.delete(key);
      return Promise.resolve();
    },
  };
}
