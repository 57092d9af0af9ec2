// Writes text into a PNG: uncompressed iTXt chunks (PNG specification 11.3.4.5) directly after its header.
import { crc32 } from "./crc32.ts";
import { HEADER_BYTES } from "./header.ts";
import { PNG_SIGNATURE } from "./chunks.ts";
import type { PngText } from "./png-text.ts";

/** Length, type and CRC around the content of a chunk. */
const CHUNK_FRAME_BYTES = 12;

/** Returns the pieces of a PNG with texts added; `png` is not copied. */
export function insertTexts(png: Uint8Array, texts: readonly PngText[]): Uint8Array[] {
  const at = PNG_SIGNATURE.length + CHUNK_FRAME_BYTES + HEADER_BYTES;
  return [png.subarray(0, at), ...texts.map(toTextChunk), png.subarray(at)];
}

/** Keyword, 0, not compressed, method 0, no language, no translated keyword, UTF-8 text. */
function toTextChunk({ keyword, text }: PngText): Uint8Array {
  const content = [...toLatin1("iTXt"), ...toLatin1(keyword), 0, 0, 0, 0, 0, ...toUtf8(text)];
  const chunk = new Uint8Array(content.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length - 4);
  chunk.set(content, 4);
  view.setUint32(4 + content.length, crc32(chunk.subarray(4, 4 + content.length)));
  return chunk;
}

function toLatin1(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/** Percent encoding is the only UTF-8 encoder of the language itself. */
function toUtf8(text: string): number[] {
  const escaped = encodeURIComponent(text.toWellFormed());
  return (escaped.match(/%..|./g) ?? []).map((piece) =>
    piece.length === 3 ? Number.parseInt(piece.slice(1), 16) : piece.charCodeAt(0),
  );
}
