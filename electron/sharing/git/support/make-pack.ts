// Packs built by hand for tests, including ones that Git would never write.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { flushPkt, formatPkt } from "../pkt-line.ts";

export interface PackEntry {
  /** Type: 1 commit, 2 tree, 3 blob, 4 tag, 6 delta by offset, 7 delta by id. */
  readonly type: number;
  readonly content: Buffer;
  /** Unpacked size in the header; default: the true one. */
  readonly size?: number;
  /** Base of a delta: 20 bytes of an id for type 7, the offset for type 6. */
  readonly base?: Buffer;
  /** Deflated bytes; default: `content`, deflated. */
  readonly deflated?: Buffer;
}

export function makePack(entries: readonly PackEntry[], count = entries.length): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", 0, "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  const body = Buffer.concat([header, ...entries.map(formatEntry)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

function formatEntry({ type, content, size = content.length, base, deflated }: PackEntry): Buffer {
  const bytes = [(type << 4) | (size % 16)];
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(left % 128);
  }
  return Buffer.concat([Buffer.from(bytes), base ?? Buffer.alloc(0), deflated ?? deflateSync(content)]);
}

export function objectId(kind: string, content: Buffer): Buffer {
  return createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest();
}

/**
 * Returns a delta that copies the first `byteLength` (at most 16,777,215) bytes of a base of `sourceSize` `times`
 * times.
 */
export function makeDelta(sourceSize: number, byteLength: number, times: number): Buffer {
  const copy = Buffer.from([0xf0, byteLength & 255, (byteLength >> 8) & 255, (byteLength >> 16) & 255]);
  const copies = Array.from({ length: times }, () => copy);
  return Buffer.concat([varint(sourceSize), varint(byteLength * times), ...copies]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push(128 + (left % 128));
  return Buffer.from([...bytes, left]);
}

/** Returns the body of a push of `pack` that creates `ref`. */
export function makePush(
  ref: string,
  newId: string,
  pack: Buffer,
  capabilities = "report-status side-band-64k",
): Buffer {
  const command = formatPkt(`${"0".repeat(40)} ${newId} ${ref}\0 ${capabilities}`);
  return Buffer.concat([command, flushPkt, pack]);
}
