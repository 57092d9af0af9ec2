// The parts of a packfile that reading and scanning share (gitformat-pack): sizes, entry headers and deltas.
import { tooLarge } from "./object-files.ts";
import { ObjectFault, type ObjectType } from "./object-formats.ts";

export const packTrailerBytes = 20;

/** By the type number in an entry's header. 6 and 7 are deltas. */
export const plainTypes: Readonly<Record<number, ObjectType>> = {
  1: "commit",
  2: "tree",
  3: "blob",
  4: "tag",
};

/** The longest entry header, with the base of a delta. */
export const longestEntryHeader = 64;

export interface EntryHeader {
  readonly type: number;
  /** Inflated size of the object, or of the delta it is stored as. Inexact above 2 ** 53. */
  readonly size: number;
  /** Base of a delta: an object id, or the distance back to it in bytes. */
  readonly base: string | number | undefined;
  /** Offset of the zlib stream. */
  readonly end: number;
}

/** Reads the header at the start of `bytes`. Returns "cut" if they end within it, "damaged" if it is not valid. */
export function parseEntryHeader(bytes: Buffer): EntryHeader | "cut" | "damaged" {
  const first = bytes[0];
  if (first === undefined) return "cut";
  const type = (first >> 4) & 7;
  const isPlain = plainTypes[type] !== undefined;
  if (!isPlain && type !== 6 && type !== 7) return "damaged";
  const rest = first & 128 ? parseSize(bytes, 1) : { size: 0, end: 1 };
  if (typeof rest === "string") return rest;
  const size = (first & 15) + rest.size * 16;
  if (isPlain) return { type, size, base: undefined, end: rest.end };
  if (type === 7) {
    const end = rest.end + 20;
    return end > bytes.length ? "cut" : { type, size, base: bytes.toString("hex", rest.end, end), end };
  }
  let distance = -1;
  for (let end = rest.end; end < rest.end + longestSize;) {
    const byte = bytes[end];
    if (byte === undefined) return "cut";
    end += 1;
    distance = (distance + 1) * 128 + (byte & 127);
    if (byte < 128) return { type, size, base: distance, end };
  }
  return "damaged";
}

/** Bytes of a number: more than any file needs. */
const longestSize = 10;

/** Reads a number of seven bits a byte, lowest first. */
export function parseSize(
  bytes: Buffer,
  offset: number,
): { readonly size: number; readonly end: number } | "cut" | "damaged" {
  let size = 0;
  for (let end = offset, factor = 1; end < offset + longestSize; factor *= 128) {
    const byte = bytes[end];
    if (byte === undefined) return "cut";
    end += 1;
    size += (byte & 127) * factor;
    if (byte < 128) return { size, end };
  }
  return "damaged";
}

export interface DeltaHeader {
  readonly baseSize: number;
  readonly resultSize: number;
  readonly end: number;
}

/** Reads the head of a delta. Returns undefined if it is not valid. */
export function parseDeltaHeader(delta: Buffer): DeltaHeader | undefined {
  const base = parseSize(delta, 0);
  const result = typeof base === "string" ? base : parseSize(delta, base.end);
  if (typeof base === "string" || typeof result === "string") return undefined;
  return { baseSize: base.size, resultSize: result.size, end: result.end };
}

/** @throws ObjectFault if the delta does not fit the base, or its result is larger than `maxBytes` */
export function applyDelta(base: Uint8Array, delta: Buffer, maxBytes: number): Buffer {
  const header = parseDeltaHeader(delta);
  if (header?.baseSize !== base.length) throw misfit();
  if (header.resultSize > maxBytes) throw tooLarge(maxBytes);
  const result = Buffer.allocUnsafe(header.resultSize);
  let written = 0;
  let at = header.end;
  /** The bits of `code` from `bit` on say which bytes of a number follow, lowest first. */
  const takeBytes = (code: number, bit: number, count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) {
      if (!(code & (bit << index))) continue;
      value += (delta[at] ?? 0) * 2 ** (8 * index);
      at += 1;
    }
    return value;
  };
  while (at < delta.length) {
    const code = delta[at]!;
    at += 1;
    let piece: Uint8Array;
    let count = code;
    if (code & 128) {
      const from = takeBytes(code, 1, 4);
      // A size of 0 means 64 KiB.
      count = takeBytes(code, 16, 3) || 0x1_00_00;
      piece = base.subarray(from, from + count);
    } else {
      piece = delta.subarray(at, at + count);
      at += count;
    }
    if (count === 0 || at > delta.length || piece.length < count || written + count > result.length)
      throw misfit();
    result.set(piece, written);
    written += count;
  }
  if (written !== result.length) throw misfit();
  return result;
}

function misfit(): ObjectFault {
  return new ObjectFault("Its object is damaged: the delta it is stored as does not fit its base.");
}
