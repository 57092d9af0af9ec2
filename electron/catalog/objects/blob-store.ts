// Immutable bytes, addressed by their SHA-256, in an object store whose keys the index of blobs knows. An object is
// there before its row, and its row is gone before the object, so a row always leads to bytes.
import { AppError } from "../../../shared/app-error.ts";
import { isSha256, sha256Of } from "../../platform/sha256.ts";
import type { BlobIndex } from "./blob-index.ts";
import { createObjectKey, orphanAgeMs, type BlobKind } from "./object-keys.ts";
import type { ObjectStore } from "./object-store.ts";

export interface BlobStoreOptions {
  readonly objects: ObjectStore;
  readonly blobs: BlobIndex;
  readonly kind: BlobKind;
  readonly nowMs?: () => number;
}

export interface BlobStore {
  /**
   * Stores bytes and returns their SHA-256. Bytes that are already there are read again, and replaced if they are lost
   * or damaged. Throws `storage-failed`.
   */
  put(bytes: Uint8Array): Promise<string>;
  /**
   * Returns the bytes with this hash; undefined if they are unknown or lost. Throws `stored-data-invalid` if the stored
   * bytes are others; `storage-failed`.
   */
  read(sha256: string): Promise<Uint8Array | undefined>;
}

const mostUploads = 5;
const mostReads = 3;

export function createBlobStore({ objects, blobs, kind, nowMs = Date.now }: BlobStoreOptions): BlobStore {
  const holds = async (key: string, bytes: Uint8Array): Promise<boolean> => {
    const stored = await objects.get(key, { byteLimit: bytes.byteLength });
    return stored !== undefined && Buffer.compare(stored, bytes) === 0;
  };
  /** Uploads bytes under a new key, and records it in place of `oldKey`. Returns the key that has been recorded. */
  const upload = async (
    sha256: string,
    bytes: Uint8Array,
    oldKey: string | undefined,
  ): Promise<string | undefined> => {
    const key = createObjectKey(kind, sha256);
    await objects.put(key, bytes);
    const isRecorded =
      oldKey === undefined
        ? await blobs.add(sha256, key, bytes.byteLength)
        : await blobs.replace(sha256, oldKey, key);
    return isRecorded ? key : undefined;
  };

  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes);
      let stored = (await blobs.find(sha256))?.objectKey;
      if (stored !== undefined && (await holds(stored, bytes))) return sha256;
      for (let attempt = 0; attempt < mostUploads; attempt += 1) {
        const startedAtMs = nowMs();
        const recorded = await upload(sha256, bytes, stored);
        const isPunctual = Math.abs(nowMs() - startedAtMs) < orphanAgeMs / 2;
        if (recorded !== undefined && isPunctual) return sha256;
        // Another upload was first, and ours is left to the sweep; or the sweep may have taken ours for an orphan.
        stored = recorded ?? (await blobs.find(sha256))?.objectKey;
        if (isPunctual && stored !== undefined && (await holds(stored, bytes))) return sha256;
      }
      throw new AppError("storage-failed", "Other uploads of the same bytes were always first.");
    },
    async read(sha256) {
      if (!isSha256(sha256)) return undefined;
      let blob = await blobs.find(sha256);
      let bytes: Uint8Array | undefined;
      for (let attempt = 0; attempt < mostReads && blob !== undefined; attempt += 1) {
        const { objectKey, byteLength } = blob;
        bytes = await objects.get(objectKey, { byteLimit: byteLength });
        if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes;
        // Bytes may be damaged on their way, or have been replaced.
        const newest = await blobs.find(sha256);
        if (newest?.objectKey === objectKey && bytes === undefined) return undefined;
        blob = newest;
      }
      if (bytes === undefined || blob === undefined) return undefined;
      const { objectKey, byteLength } = blob;
      const sentence =
        bytes.byteLength > byteLength
          ? "The object store sends more bytes than were stored."
          : "Stored bytes do not match their hash.";
      throw new AppError("stored-data-invalid", sentence, {
        context: { kind, sha256, objectKey, byteLength },
      });
    },
  };
}
