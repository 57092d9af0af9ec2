// A PNG chunk made by hand, for tests: held against the standard, not against our own writer.
import { crc32 } from "node:zlib";

/** PNG specification 5.3: length, type, content, checksum of type and content. */
export function makeChunk(type: string, content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, "latin1");
  const chunk = Buffer.concat([head, content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
