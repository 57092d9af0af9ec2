// Handmade push requests, with faults that Git itself would never write.
import { flushPkt, formatPkt } from "../../electron/sharing/git/pkt-line.ts";
import { makeDelta, makePack, objectId } from "../../electron/sharing/git/support/make-pack.ts";

/**
 * Returns a pack of a few kilobytes: a base of zeros, and deltas that each repeat it; `repeats * baseBytes` unpacked.
 */
export function bombPack(baseBytes: number, repeats: number): Buffer {
  const content = Buffer.alloc(baseBytes);
  const base = objectId("blob", content);
  // A literal byte after the copy makes each result a different object.
  const deltas = Array.from({ length: repeats }, (_, index) => ({
    type: 7,
    content: Buffer.concat([makeDelta(baseBytes, baseBytes, 1), Buffer.from([1, index & 255])]),
    base,
  }));
  return makePack([{ type: 3, content }, ...deltas]);
}

export interface RefUpdate {
  readonly ref: string;
  readonly from?: string;
  readonly to: string;
}

/** Returns the body of `POST …/git-receive-pack`. */
export function pushRequest(updates: readonly RefUpdate[], pack: Uint8Array): Buffer {
  const lines = updates.map(({ ref, from = "0".repeat(40), to }, index) =>
    formatPkt(`${from} ${to} ${ref}${index === 0 ? "\0 report-status agent=test/1" : ""}\n`),
  );
  return Buffer.concat([...lines, flushPkt, pack]);
}
