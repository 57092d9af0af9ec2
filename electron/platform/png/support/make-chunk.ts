// A PNG chunk built by hand, for tests that compare with the standard and not with the project's own writer.
import { crc32 } from "node:zlib";

/** Builds a chunk: length, type, content, checksum of type and content (PNG specification 5.3). */
export function makeChunk(type: string, content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, "latin1");
  const chunk = Buffer.concat([head, content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
