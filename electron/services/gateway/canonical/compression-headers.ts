// What stands before a compressed stream in gzip files (RFC 1952), in zlib's form (RFC 1950) and in zstd frames (RFC 8878).

/** The header's length in bytes; or that more of it is needed; or that this is none. */
export type CompressionHeader = number | "incomplete" | "none";

const flags = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** A gzip file's header, of which any part may be there. */
export function findGzipHeader(bytes: Uint8Array): CompressionHeader {
  const fixed = [0x1f, 0x8b, 8];
  if (fixed.some((byte, at) => at < bytes.length && bytes[at] !== byte)) return "none";
  if (bytes.length < 10) return "incomplete";
  const flag = bytes[3]!;
  if ((flag & flags.reserved) !== 0) return "none";
  let at = 10;
  if (flag & flags.extra) {
    if (bytes.length < 12) return "incomplete";
    at += 2 + bytes[10]! + bytes[11]! * 256;
  }
  for (const text of [flags.name, flags.comment]) {
    if ((flag & text) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end === -1) return "incomplete";
    at = end + 1;
  }
  if (flag & flags.headerCrc) at += 2;
  return at <= bytes.length ? at : "incomplete";
}

/** HTTP's `deflate` is zlib's form; some servers send the naked stream, which cannot well begin as zlib's form does. */
export function findDeflateHeader(bytes: Uint8Array): CompressionHeader {
  const [method, check] = bytes;
  if (method === undefined || check === undefined) return "incomplete";
  const isZlib = (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + check) % 31 === 0;
  if (!isZlib) return 0;
  // A preset dictionary is known to nobody here.
  return (check & 0x20) === 0 ? 2 : "none";
}

/** A frame's or a skippable frame's magic number, which is the decompressor's to read. */
export function findZstdFrame(bytes: Uint8Array): CompressionHeader {
  if (bytes.length < 4) return "incomplete";
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50 ? 0 : "none";
}

/** Brotli has no header: any bytes may be a stream. */
export function findBrotliStream(bytes: Uint8Array): CompressionHeader {
  return bytes.length === 0 ? "incomplete" : 0;
}
