// Removes objects that nothing refers to: those whose rows have been deleted, and orphans of uploads that failed or
// were second.
import { randomUUID } from "node:crypto";
import type { BlobIndex } from "./blob-index.ts";
import { blobKinds, orphanAgeMs, sha256OfKey } from "./object-keys.ts";
import type { ObjectFacts, ObjectStore } from "./object-store.ts";

export interface SweepOptions {
  readonly objects: ObjectStore;
  readonly blobs: BlobIndex;
  readonly signal?: AbortSignal;
  /** Age from which an object without a row is an orphan, for tests; default 24 hours. */
  readonly safeAgeMs?: number;
}

const batchSize = 1000;

/** Removes the objects whose rows are gone. Returns their number. Throws `storage-failed`, or the signal's reason. */
export async function removeCondemned({ objects, blobs, signal }: SweepOptions): Promise<number> {
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const keys = await blobs.takeCondemned(batchSize);
    if (keys.length === 0) return count;
    await objects.remove(keys);
    await blobs.forgetCondemned(keys);
    count += keys.length;
  }
}

/**
 * Lists all objects, and removes old ones that the index does not know. Leaves keys of another form alone. Returns the
 * number of removed objects. Throws `storage-failed`, or the signal's reason.
 */
export async function removeOrphans(options: SweepOptions): Promise<number> {
  const { objects, safeAgeMs = orphanAgeMs } = options;
  const nowMs = await readClock(objects);
  let count = 0;
  for (const kind of blobKinds) {
    let batch: string[] = [];
    for await (const object of objects.list(`${kind}/`)) {
      options.signal?.throwIfAborted();
      if (ageOf(object, nowMs) < safeAgeMs || sha256OfKey(object.key) === undefined) continue;
      batch.push(object.key);
      if (batch.length < batchSize) continue;
      count += await removeUnknown(batch, options);
      batch = [];
    }
    count += await removeUnknown(batch, options);
  }
  return count;
}

async function removeUnknown(keys: readonly string[], { objects, blobs }: SweepOptions): Promise<number> {
  const known = await blobs.findAll(keys.map((key) => sha256OfKey(key)!));
  const orphans = keys.filter((key) => known.get(sha256OfKey(key)!) !== key);
  await objects.remove(orphans);
  return orphans.length;
}

/** Returns the time on the clock of the store, which may differ from ours; 0 if it is not known. */
async function readClock(objects: ObjectStore): Promise<number> {
  const key = `clock/${randomUUID()}`;
  await objects.put(key, Buffer.from("Read for its time."));
  let nowMs = 0;
  // A sweep that was killed may have left others.
  const keys = [key];
  for await (const object of objects.list("clock/")) {
    keys.push(object.key);
    if (object.key === key) nowMs = Date.parse(object.modifiedAt);
  }
  await objects.remove(keys);
  return nowMs;
}

function ageOf({ modifiedAt }: ObjectFacts, nowMs: number): number {
  return nowMs - Date.parse(modifiedAt);
}
