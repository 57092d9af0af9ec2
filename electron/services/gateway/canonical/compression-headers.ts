// Headers of compressed streams: gzip (RFC 1952), zlib (RFC 1950) and zstd frames (RFC 8878).

/** Length of the header in bytes; or more bytes are needed; or these bytes are not one. */
export type CompressionHeader = number | "incomplete" | "none";

const flags = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** Finds the end of a gzip header, which may be incomplete. */
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

/** HTTP's `deflate` is zlib; some servers send a raw stream, which rarely begins like zlib's header. */
export function findDeflateHeader(bytes: Uint8Array): CompressionHeader {
  const [method, check] = bytes;
  if (method === undefined || check === undefined) return "incomplete";
  const isZlib = (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + check) % 31 === 0;
  if (!isZlib) return 0;
  // No preset dictionary is known here.
  return (check & 0x20) === 0 ? 2 : "none";
}

/** Checks the magic number of a frame or a skippable frame, which stays for the decompressor. */
export function findZstdFrame(bytes: Uint8Array): CompressionHeader {
  if (bytes.length < 4) return "incomplete";
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50 ? 0 : "none";
}

/** Brotli has no header: any bytes may begin a stream. */
export function findBrotliStream(bytes: Uint8Array): CompressionHeader {
  return bytes.length === 0 ? "incomplete" : 0;
}
