// Writes the index of a pack, version 2 (gitformat-pack, "Version 2 pack-*.idx files"), and lists what one names.
import { createHash } from "node:crypto";
import type { PackedObject } from "./received-pack.ts";

const magic = 0xff744f63;
const namesAt = 8 + 256 * 4;

/**
 * @param objects each id once; offsets below 2 GiB
 * @param packSha1 the last 20 bytes of the pack
 */
export function encodePackIndex(objects: readonly PackedObject[], packSha1: Uint8Array): Buffer {
  const sorted = [...objects].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = sorted.length;
  const index = Buffer.alloc(namesAt + count * 28);
  index.writeUInt32BE(magic, 0);
  index.writeUInt32BE(2, 4);
  const fanout = new Uint32Array(256);
  sorted.forEach(({ oid, offset, crc }, at) => {
    index.write(oid, namesAt + at * 20, "hex");
    fanout[index[namesAt + at * 20]!] = at + 1;
    index.writeUInt32BE(crc, namesAt + count * 20 + at * 4);
    index.writeUInt32BE(offset, namesAt + count * 24 + at * 4);
  });
  let upTo = 0;
  for (let first = 0; first < 256; first++) {
    upTo = Math.max(upTo, fanout[first]!);
    index.writeUInt32BE(upTo, 8 + first * 4);
  }
  const whole = Buffer.concat([index, packSha1]);
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
}

/** What an index of ours (offsets below 2 GiB) says; undefined for one that is damaged or of another kind. */
export function decodePackIndex(
  index: Buffer,
): { readonly objects: readonly PackedObject[]; readonly packSha1: Buffer } | undefined {
  if (index.length < namesAt + 40 || index.readUInt32BE(0) !== magic || index.readUInt32BE(4) !== 2) {
    return undefined;
  }
  const count = index.readUInt32BE(namesAt - 4);
  if (index.length !== namesAt + count * 28 + 40) return undefined;
  const objects = Array.from({ length: count }, (_, at) => ({
    oid: index.toString("hex", namesAt + at * 20, namesAt + at * 20 + 20),
    crc: index.readUInt32BE(namesAt + count * 20 + at * 4),
    offset: index.readUInt32BE(namesAt + count * 24 + at * 4),
  }));
  const end = index.length - 40;
  return { objects, packSha1: index.subarray(end, end + 20) };
}
