// For tests: packs by hand, also such as no Git would make.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { flushPkt, formatPkt } from "../pkt-line.ts";

export interface PackEntry {
  /** 1 commit, 2 tree, 3 blob, 4 tag, 6 delta by offset, 7 delta by id. */
  readonly type: number;
  readonly content: Buffer;
  /** What the header says it unpacks to; the truth unless given. */
  readonly size?: number;
  /** Of type 7: 20 bytes; of type 6: the offset. */
  readonly base?: Buffer;
  /** Already deflated; `content` is deflated unless given. */
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

/** A delta that copies `times` times the first `byteLength` (at most 16,777,215) bytes of a base of `sourceSize`. */
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

/** The body of a push of `pack` that makes `ref` out of nothing. */
export function makePush(
  ref: string,
  newId: string,
  pack: Buffer,
  capabilities = "report-status side-band-64k",
): Buffer {
  const command = formatPkt(`${"0".repeat(40)} ${newId} ${ref}\0 ${capabilities}`);
  return Buffer.concat([command, flushPkt, pack]);
}
