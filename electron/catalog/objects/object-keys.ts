// Keys of objects, `frames/ab/<SHA-256>.<random>`: each upload has its own, so that removing one cannot hit another.
import { randomBytes } from "node:crypto";

export const blobKinds = ["frames", "sources"] as const;
export type BlobKind = (typeof blobKinds)[number];

/** Age from which an object without a row is garbage. An upload that takes half of it starts again under a new key. */
export const orphanAgeMs = 24 * 3_600_000;

const pattern = /^(?:frames|sources)\/[0-9a-f]{2}\/([0-9a-f]{64})\.[0-9a-f]{16}$/;

export function createObjectKey(kind: BlobKind, sha256: string): string {
  return `${kind}/${sha256.slice(0, 2)}/${sha256}.${randomBytes(8).toString("hex")}`;
}

/** Returns the SHA-256 of an object's bytes; undefined for the key of something else. */
export function sha256OfKey(key: string): string | undefined {
  return pattern.exec(key)?.[1];
}
