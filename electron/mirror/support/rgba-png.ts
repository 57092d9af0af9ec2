// Pictures of another kind than ours: RGBA of 8 bits, one colour, written here by hand.
import { crc32, deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "../../../shared/png/chunks.ts";

export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

export function makeRgbaPng(widthPx: number, heightPx: number, colour: Rgba): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: widthPx }, () => Buffer.from(colour))]);
  const rows = Buffer.concat(Array.from({ length: heightPx }, () => row));
  return Buffer.concat([
    PNG_SIGNATURE,
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, content: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, "latin1");
  const chunk = Buffer.concat([head, content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
