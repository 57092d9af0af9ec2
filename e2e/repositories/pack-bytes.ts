// Packs and push requests made by hand, so that they can be wrong in every way that Git itself would not write. The form is
// that of Git's own `gitformat-pack` and `gitprotocol-pack`.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export const objectTypes = { commit: 1, tree: 2, blob: 3, tag: 4, ofsDelta: 6, refDelta: 7 } as const;
export const noObject = "0".repeat(40);

/** Type and size in front of an object's deflated bytes. */
export function objectHead(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((rest > 0 ? 0x80 : 0) | (type << 4) | (size % 16));
  while (rest > 0) {
    const next = Math.floor(rest / 128);
    bytes.push((next > 0 ? 0x80 : 0) | (rest % 128));
    rest = next;
  }
  return Buffer.from(bytes);
}

export function packOf(objects: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const bytes = Buffer.concat([head, ...objects]);
  return Buffer.concat([bytes, createHash("sha1").update(bytes).digest()]);
}

export function blobOf(content: Uint8Array): Buffer {
  return Buffer.concat([objectHead(objectTypes.blob, content.length), deflateSync(content)]);
}

/** The number as a delta's sizes are written: seven bits a byte, lowest first. */
function deltaSize(size: number): number[] {
  const bytes = [size % 128];
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

/** A pack of a few kilobytes: a base of zeros, and deltas that each repeat it whole. `repeats * baseBytes` unpacked. */
export function bombPack(baseBytes: number, repeats: number): Buffer {
  const base = blobOf(Buffer.alloc(baseBytes));
  const id = createHash("sha1").update(`blob ${baseBytes}\0`).update(Buffer.alloc(baseBytes)).digest();
  const copyAll = [0x80 | 0x70, baseBytes & 255, (baseBytes >> 8) & 255, (baseBytes >> 16) & 255];
  const deltas = Array.from({ length: repeats }, (_, index) => {
    // A literal byte behind the copy makes every result another object.
    const literal = [4, index & 255, (index >> 8) & 255, (index >> 16) & 255, 1];
    const delta = Buffer.from([...deltaSize(baseBytes), ...deltaSize(baseBytes + 4), ...copyAll, ...literal]);
    return Buffer.concat([objectHead(objectTypes.refDelta, delta.length), id, deflateSync(delta)]);
  });
  return packOf([base, ...deltas]);
}

function pktLine(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

export interface RefUpdate {
  readonly ref: string;
  readonly from?: string;
  readonly to: string;
}

/** The body of `POST …/git-receive-pack`. */
export function pushRequest(updates: readonly RefUpdate[], pack: Uint8Array): Buffer {
  const lines = updates.map(({ ref, from = noObject, to }, index) =>
    pktLine(`${from} ${to} ${ref}${index === 0 ? "\0 report-status agent=test/1" : ""}\n`),
  );
  return Buffer.concat([...lines, Buffer.from("0000"), pack]);
}
