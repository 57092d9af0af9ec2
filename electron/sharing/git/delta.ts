// Objects that are kept as the difference from another one (gitformat-pack, "Deltified representation").
import { ObjectFault } from "./object-fault.ts";
import { tooLarge } from "./loose-objects.ts";

/** @throws ObjectFault for a delta that does not fit the base, or makes more than `maxBytes` */
export function applyDelta(base: Uint8Array, delta: Buffer, maxBytes: number): Buffer {
  const reader = createByteReader(delta);
  if (readSize(reader) !== base.length) throw damaged();
  const size = readSize(reader);
  if (size > maxBytes) throw tooLarge(maxBytes);
  const target = Buffer.allocUnsafe(size);
  let at = 0;
  while (!reader.isAtEnd()) {
    const code = reader.next();
    const { bytes, from, count } =
      code & 0x80 ? readCopy(reader, code, base) : readInsert(reader, code, delta);
    if (from + count > bytes.length || at + count > size) throw damaged();
    target.set(bytes.subarray(from, from + count), at);
    at += count;
  }
  if (at !== size) throw damaged();
  return target;
}

interface ByteReader {
  next(): number;
  skip(count: number): number;
  isAtEnd(): boolean;
}

function createByteReader(bytes: Buffer): ByteReader {
  let at = 0;
  return {
    next() {
      const byte = bytes[at];
      if (byte === undefined) throw damaged();
      at += 1;
      return byte;
    },
    skip(count) {
      at += count;
      return at - count;
    },
    isAtEnd: () => at >= bytes.length,
  };
}

interface Span {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly count: number;
}

/** The bits of the code tell which bytes of the offset (4) and of the size (3) follow; a size of 0 means 64 KiB. */
function readCopy(reader: ByteReader, code: number, base: Uint8Array): Span {
  let from = 0;
  let count = 0;
  for (let bit = 0; bit < 4; bit += 1) if (code & (1 << bit)) from += reader.next() * 2 ** (8 * bit);
  for (let bit = 0; bit < 3; bit += 1) if (code & (16 << bit)) count += reader.next() * 2 ** (8 * bit);
  return { bytes: base, from, count: count === 0 ? 0x1_00_00 : count };
}

function readInsert(reader: ByteReader, count: number, delta: Buffer): Span {
  if (count === 0) throw damaged();
  return { bytes: delta, from: reader.skip(count), count };
}

/** Seven bits a byte, the lowest first. */
function readSize(reader: ByteReader): number {
  let size = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.next();
    size += (byte & 0x7f) * factor;
    if (!(byte & 0x80)) return size;
    if (size > Number.MAX_SAFE_INTEGER / 128) throw damaged();
  }
}

function damaged(): ObjectFault {
  return new ObjectFault("Its object is damaged: the difference that it is kept as does not fit.");
}
