// Verifies the bytes of a service against the index of blobs: reads the index and lists the objects in parts that fit
// into memory; then reads each object and compares it with its hash.
import { mapLimited } from "../../../platform/locks/limit.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { blobKinds, type BlobKind } from "../../objects/object-keys.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import type { BlobFacts, StoredBlobs } from "../../postgres/reading/stored-blobs.ts";
import type { Findings, Steps } from "../findings.ts";
import { findFrameFault } from "../verify-frames.ts";

export interface VerifiedObjects {
  readonly blobs: StoredBlobs;
  readonly objects: ObjectStore;
}

export interface ObjectCounts {
  frames: number;
  sources: number;
}

/** Objects that are read at once. */
const readsAtOnce = 4;
/** Approximate number of rows and keys in memory. */
const mostInPart = 4_000;

/** Returns the numbers of blobs. @throws AppError of the stores; the signal's reason */
export async function verifyObjects(
  stores: VerifiedObjects,
  findings: Findings,
  steps: Steps,
): Promise<ObjectCounts> {
  const counts: ObjectCounts = { frames: 0, sources: 0 };
  for (const prefix of toPrefixes(await stores.blobs.count())) {
    // In this order, since an object is there before its row, and goes after it.
    const rows = await stores.blobs.listBlobs(prefix);
    const listed = await listObjects(stores.objects, prefix);
    await mapLimited(rows, readsAtOnce, async (blob) => {
      const isListed = listed.delete(blob.object_key);
      await verifyBlob(stores, blob, isListed, findings);
      counts[kindOf(blob.object_key)] += 1;
      await steps.step();
    });
    await noteOrphans(stores, [...listed], findings);
  }
  return counts;
}

/** Returns the first digits of hashes that divide so many of them into parts: none, one digit or two. */
function toPrefixes(count: number): readonly string[] {
  const digits = count <= mostInPart ? 0 : count <= 16 * mostInPart ? 1 : 2;
  return Array.from({ length: 16 ** digits }, (_, number) =>
    digits === 0 ? "" : number.toString(16).padStart(digits, "0"),
  );
}

async function listObjects(objects: ObjectStore, prefix: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const kind of blobKinds) {
    for await (const { key } of objects.list(`${kind}/${prefix}`)) keys.add(key);
  }
  return keys;
}

async function verifyBlob(
  stores: VerifiedObjects,
  { name, object_key: key, is_source: isSource, ...blob }: BlobFacts,
  isListed: boolean,
  findings: Findings,
): Promise<void> {
  const bytes = await stores.objects.get(key, { byteLimit: blob.byte_length });
  const what = bytes ? await findDamage(bytes, name, kindOf(key)) : undefined;
  const shownBy = blob.shown_by;
  if (bytes && what === undefined) {
    if (shownBy === null && !isSource) findings.note(key, "No revision shows it or was made from it.");
    else if (!isListed) findings.note(key, "It is stored, but the object store does not list it.");
    return;
  }
  // Retention may have removed it meanwhile, or an upload replaced it.
  const now = await stores.blobs.findBlob(name);
  if (now?.object_key !== key) return;
  if (now.shown_by !== null) {
    findings.fault(key, what ?? `It is missing, and ${now.shown_by} shows it.`);
  } else {
    const purpose = now.is_source ? "so it cannot restore a frame" : "but no revision needs it";
    findings.note(
      key,
      what === undefined ? `It is missing, ${purpose}.` : `${what.slice(0, -1)}, ${purpose}.`,
    );
  }
}

async function findDamage(bytes: Uint8Array, name: string, kind: BlobKind): Promise<string | undefined> {
  if (kind === "frames") return findFrameFault(bytes, name);
  return sha256Of(bytes) === name ? undefined : "Its bytes do not match its name.";
}

async function noteOrphans(
  { blobs }: VerifiedObjects,
  keys: readonly string[],
  findings: Findings,
): Promise<void> {
  if (keys.length === 0) return;
  const [known, condemned] = [await blobs.findKnown(keys), await blobs.findCondemned(keys)];
  for (const key of keys.filter((each) => !known.has(each)).toSorted()) {
    findings.note(
      key,
      condemned.has(key)
        ? "Its row is gone; retention will remove it."
        : "No row knows it: an upload that is running or was cut off. The sweep removes it after 24 hours.",
    );
  }
}

function kindOf(key: string): BlobKind {
  return key.startsWith("frames/") ? "frames" : "sources";
}
