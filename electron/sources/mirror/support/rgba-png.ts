// PNGs unlike those of Echotop: 8-bit RGBA in one color, written by hand.
import { deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "../../../../shared/png/chunks.ts";
import { makeChunk } from "../../../platform/png/support/make-chunk.ts";

export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

export function makeRgbaPng(widthPx: number, heightPx: number, color: Rgba): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: widthPx }, () => Buffer.from(color))]);
  const rows = Buffer.concat(Array.from({ length: heightPx }, () => row));
  return Buffer.concat([
    PNG_SIGNATURE,
    makeChunk("IHDR", header),
    makeChunk("IDAT", deflateSync(rows)),
    makeChunk("IEND", Buffer.alloc(0)),
  ]);
}
