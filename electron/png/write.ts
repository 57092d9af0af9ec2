// Writes PNG: raw scanlines in, the bytes of a file out. The same input always gives the same bytes.
import { constants, crc32, deflateSync } from "node:zlib";
import { PNG_SIGNATURE } from "../../shared/png/chunks.ts";
import {
  COLOUR_TYPE_CODES,
  filteredByteLength,
  findBytesPerPixel,
  rowByteLength,
} from "../../shared/png/header.ts";
import type { ColourType, PngHeader } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import type { PngText } from "../../shared/png/text.ts";
import type { FilterName } from "../../shared/png/unfilter.ts";
import { filterRows } from "./filter.ts";

/** How hard, and with which match search, the picture is deflated. */
export type DeflateStrategy = "default" | "filtered" | "huffman" | "rle";

interface PngParts {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: 8 | 16;
  readonly colourType: ColourType;
  /** Three bytes (red, green, blue) an entry, at most 256 entries; for colour type "palette" only. */
  readonly palette?: Uint8Array | undefined;
  /** Opacity of the first entries of the palette, 0 to 255. */
  readonly transparency?: Uint8Array | undefined;
  /** Written as uncompressed iTXt chunks before the picture, in this order. */
  readonly texts?: readonly PngText[] | undefined;
  readonly strategy?: DeflateStrategy | undefined;
  /** zlib's 0 (stored) to 9; 6 unless given. */
  readonly level?: number | undefined;
}

export interface PngImage extends PngParts {
  /** heightPx rows of raw scanlines, top first, without filter bytes; 16-bit samples are big-endian. */
  readonly rows: Uint8Array;
  /** The filter of every row; "none" unless given. */
  readonly filter?: FilterName | undefined;
}

export interface FilteredPngImage extends PngParts {
  /** heightPx rows, top first, each one filter byte and the filtered scanline. */
  readonly scanlines: Uint8Array;
}

const STRATEGIES: Readonly<Record<DeflateStrategy, number>> = {
  default: constants.Z_DEFAULT_STRATEGY,
  filtered: constants.Z_FILTERED,
  huffman: constants.Z_HUFFMAN_ONLY,
  rle: constants.Z_RLE,
};

/**
 * Encodes raw scanlines as a PNG.
 * @throws PngError when lengths, palette or keywords do not fit the picture.
 */
export function encodePng(image: PngImage): Uint8Array {
  const header = toHeader(image);
  const expected = header.heightPx * rowByteLength(header);
  if (image.rows.length !== expected) {
    throw new PngError(`rows must have ${expected} bytes but have ${image.rows.length}`, 0);
  }
  const { rows, filter, ...parts } = image;
  return encodeFilteredPng({ ...parts, scanlines: filterRows(rows, header, filter ?? "none") });
}

/** Encodes scanlines that are filtered already, without copying them. @throws PngError as `encodePng` does. */
export function encodeFilteredPng(image: FilteredPngImage): Uint8Array {
  const header = toHeader(image);
  const expected = filteredByteLength(header);
  if (image.scanlines.length !== expected) {
    throw new PngError(
      `filtered scanlines must have ${expected} bytes but have ${image.scanlines.length}`,
      0,
    );
  }
  const deflated = deflateSync(image.scanlines, {
    level: image.level ?? 6,
    memLevel: 9,
    strategy: STRATEGIES[image.strategy ?? "default"],
    chunkSize: 1 << 20,
  });
  const chunks = [PNG_SIGNATURE, toChunk("IHDR", toHeaderContent(header))];
  if (image.palette) chunks.push(toChunk("PLTE", image.palette));
  if (image.transparency) chunks.push(toChunk("tRNS", image.transparency));
  for (const text of image.texts ?? []) chunks.push(toChunk("iTXt", toTextContent(text)));
  chunks.push(toChunk("IDAT", deflated), toChunk("IEND", new Uint8Array(0)));
  return Buffer.concat(chunks);
}

function toHeader(image: PngParts): PngHeader {
  const { widthPx, heightPx, bitDepth, colourType, palette, transparency } = image;
  const bytesPerPixel = findBytesPerPixel(bitDepth, colourType);
  if (bytesPerPixel === undefined) throw new PngError(`${bitDepth}-bit ${colourType} is not supported`, 0);
  if (!(Number.isInteger(widthPx) && Number.isInteger(heightPx) && widthPx > 0 && heightPx > 0)) {
    throw new PngError(`a picture of ${widthPx} by ${heightPx} pixels cannot be written`, 0);
  }
  if ((colourType === "palette") !== (palette !== undefined)) {
    throw new PngError("a palette is required for colour type palette and excluded for others", 0);
  }
  const entries = (palette?.length ?? 0) / 3;
  if (palette && !(Number.isInteger(entries) && entries >= 1 && entries <= 256)) {
    throw new PngError(`a palette has 1 to 256 entries of 3 bytes, not ${palette.length} bytes`, 0);
  }
  if (transparency && transparency.length > entries) {
    throw new PngError(`${transparency.length} opacities for ${entries} palette entries`, 0);
  }
  return { widthPx, heightPx, bitDepth, colourType, bytesPerPixel };
}

function toHeaderContent(header: PngHeader): Uint8Array {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(header.widthPx, 0);
  content.writeUInt32BE(header.heightPx, 4);
  content[8] = header.bitDepth;
  content[9] = COLOUR_TYPE_CODES[header.colourType];
  return content;
}

/** iTXt: keyword, 0, not compressed, method 0, no language, no translated keyword, UTF-8 text. */
function toTextContent({ keyword, text }: PngText): Uint8Array {
  if (!/^[!-~\u00a1-\u00ff](?:[ -~\u00a1-\u00ff]{0,77}[!-~\u00a1-\u00ff])?$/u.test(keyword)) {
    throw new PngError(`"${keyword}" cannot be a keyword`, 0);
  }
  return Buffer.concat([Buffer.from(keyword, "latin1"), Buffer.alloc(5), Buffer.from(text, "utf8")]);
}

function toChunk(type: string, content: Uint8Array): Uint8Array {
  const chunk = Buffer.allocUnsafe(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length);
  return chunk;
}
