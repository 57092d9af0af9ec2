// Assembles the chunks of a PNG around its deflated picture, in a fixed order that the standard allows.
import { crc32 } from "node:zlib";
import { PNG_SIGNATURE } from "../../../shared/png/chunks.ts";
import { COLOR_TYPE_CODES, findBytesPerPixel, HEADER_BYTES } from "../../../shared/png/header.ts";
import type { ColorType, PngHeader } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";
import type { PngText } from "../../../shared/png/png-text.ts";

/** A picture without its scanlines. */
export interface PngParts {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: 8 | 16;
  readonly colorType: ColorType;
  /** Three bytes (red, green, blue) per entry, at most 256 entries; only for color type "palette". */
  readonly palette?: Uint8Array | undefined;
  /** Opacity of the first entries of the palette, 0 to 255. */
  readonly transparency?: Uint8Array | undefined;
  /** Written as uncompressed iTXt chunks before the picture, in this order. */
  readonly texts?: readonly PngText[] | undefined;
}

/** @param deflated the zlib stream of the filtered scanlines, in pieces */
export function assemblePng(parts: PngParts, deflated: readonly Uint8Array[]): Uint8Array {
  const chunks = [PNG_SIGNATURE, toChunk("IHDR", [toHeaderContent(toHeader(parts))])];
  if (parts.palette) chunks.push(toChunk("PLTE", [parts.palette]));
  if (parts.transparency) chunks.push(toChunk("tRNS", [parts.transparency]));
  for (const text of parts.texts ?? []) chunks.push(toChunk("iTXt", toTextContent(text)));
  chunks.push(toChunk("IDAT", deflated), toChunk("IEND", []));
  return Buffer.concat(chunks);
}

/** @throws PngError if depth, color type, size and palette do not match */
export function toHeader(parts: PngParts): PngHeader {
  const { widthPx, heightPx, bitDepth, colorType, palette, transparency } = parts;
  const bytesPerPixel = findBytesPerPixel(bitDepth, colorType);
  if (bytesPerPixel === undefined) throw new PngError(`${bitDepth}-bit ${colorType} is not supported`, 0);
  if (!(Number.isInteger(widthPx) && Number.isInteger(heightPx) && widthPx > 0 && heightPx > 0)) {
    throw new PngError(`cannot write a picture of ${widthPx} by ${heightPx} pixels`, 0);
  }
  if ((colorType === "palette") !== (palette !== undefined)) {
    throw new PngError("color type palette needs a palette, and no other may have one", 0);
  }
  const entries = (palette?.length ?? 0) / 3;
  if (palette && !(Number.isInteger(entries) && entries >= 1 && entries <= 256)) {
    throw new PngError(`a palette has 1 to 256 entries of 3 bytes, not ${palette.length} bytes`, 0);
  }
  if (transparency && transparency.length > entries) {
    throw new PngError(`${transparency.length} opacities for ${entries} palette entries`, 0);
  }
  return { widthPx, heightPx, bitDepth, colorType, bytesPerPixel };
}

function toHeaderContent(header: PngHeader): Uint8Array {
  const content = Buffer.alloc(HEADER_BYTES);
  content.writeUInt32BE(header.widthPx, 0);
  content.writeUInt32BE(header.heightPx, 4);
  content[8] = header.bitDepth;
  content[9] = COLOR_TYPE_CODES[header.colorType];
  return content;
}

/** iTXt: keyword, 0, not compressed, method 0, no language, no translated keyword, UTF-8 text. */
function toTextContent({ keyword, text }: PngText): Uint8Array[] {
  if (!/^[!-~\u00a1-\u00ff](?:[ -~\u00a1-\u00ff]{0,77}[!-~\u00a1-\u00ff])?$/u.test(keyword)) {
    throw new PngError(`"${keyword}" cannot be a keyword`, 0);
  }
  return [Buffer.from(keyword, "latin1"), Buffer.alloc(5), Buffer.from(text, "utf8")];
}

function toChunk(type: string, content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(length, 0);
  head.write(type, 4, "latin1");
  const chunk = Buffer.concat([head, ...content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + length)), 8 + length);
  return chunk;
}
