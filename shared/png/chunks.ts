// The chunk structure of a PNG (PNG specification 5): signature, lengths, types and checksums, not the content of
// chunks.
import { crc32 } from "./crc32.ts";
import type { Crc32 } from "./crc32.ts";
import { PngError } from "./png-error.ts";

export const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngChunk {
  /** Four letters, such as `IDAT`. */
  readonly type: string;
  /** A view of the PNG's bytes, not a copy. */
  readonly content: Uint8Array;
  /** The offset of the content, in bytes from the start of the PNG. */
  readonly offset: number;
}

/** The critical chunks of the standard. A critical type begins with a capital (PNG specification 5.4). */
const CRITICAL_TYPES = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);

/** Bytes of length, type and checksum around the content. */
const CHUNK_OVERHEAD = 12;

/**
 * Reads all chunks in order, from IHDR to IEND.
 * @param checksum a faster CRC-32, if the platform has one
 * @throws PngError for missing or extra bytes, a wrong checksum, and an unknown critical chunk
 */
export function readChunks(png: Uint8Array, checksum: Crc32 = crc32): PngChunk[] {
  checkSignature(png);
  const chunks: PngChunk[] = [];
  let at = PNG_SIGNATURE.length;
  for (;;) {
    const chunk = readChunk(png, at, checksum);
    if ((chunks.length === 0) !== (chunk.type === "IHDR")) {
      throw new PngError(
        chunks.length === 0
          ? `the first chunk must be IHDR but is ${chunk.type}`
          : "there is a second IHDR chunk",
        at,
      );
    }
    if (isUnknownCritical(chunk.type))
      throw new PngError(`the critical chunk ${chunk.type} is not known`, at);
    chunks.push(chunk);
    at += CHUNK_OVERHEAD + chunk.content.length;
    if (chunk.type === "IEND") break;
  }
  if (at !== png.length) throw new PngError(`${png.length - at} bytes follow the last chunk (IEND)`, at);
  return chunks;
}

/** A picture is not readable without its critical chunks. */
function isUnknownCritical(type: string): boolean {
  return type.charAt(0) < "a" && !CRITICAL_TYPES.has(type);
}

function checkSignature(png: Uint8Array): void {
  for (let at = 0; at < PNG_SIGNATURE.length; at++) {
    if (at >= png.length) throw new PngError("the PNG signature is cut short", at);
    if (png[at] !== PNG_SIGNATURE[at]) throw new PngError("the PNG signature is missing", at);
  }
}

function readChunk(png: Uint8Array, at: number, checksum: Crc32): PngChunk {
  const available = png.length - at;
  if (available < CHUNK_OVERHEAD) {
    throw new PngError(
      `a chunk of at least ${CHUNK_OVERHEAD} bytes is expected but ${available} are left`,
      at,
    );
  }
  const view = new DataView(png.buffer, png.byteOffset + at, available);
  const length = view.getUint32(0);
  const type = readType(png, at + 4);
  if (length > available - CHUNK_OVERHEAD) {
    throw new PngError(
      `chunk ${type} has a length of ${length} bytes, but ${available - CHUNK_OVERHEAD} are left for it`,
      at,
    );
  }
  const stored = view.getUint32(8 + length);
  const computed = checksum(png.subarray(at + 4, at + 8 + length));
  if (stored !== computed) {
    throw new PngError(
      `the checksum of chunk ${type} does not match: ${toHex(stored)} is stored, ${toHex(computed)} computed`,
      at,
    );
  }
  return { type, content: png.subarray(at + 8, at + 8 + length), offset: at + 8 };
}

function readType(png: Uint8Array, at: number): string {
  let type = "";
  for (let letter = 0; letter < 4; letter++) {
    const code = png[at + letter]!;
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
    if (!isLetter) throw new PngError("a chunk type has a character that is not a letter", at + letter);
    type += String.fromCharCode(code);
  }
  return type;
}

function toHex(value: number): string {
  return value.toString(16).padStart(8, "0");
}
