// Checks that bytes are a complete, valid PNG of any standard kind (PNG specification, third edition: 8.1 interlacing,
// 9.2 filters, 11.2 critical chunks), without storing its picture. `read.ts` decodes pictures, of fewer kinds.
import { crc32 } from "node:zlib";
import { readChunks } from "../../../shared/png/chunks.ts";
import type { PngChunk } from "../../../shared/png/chunks.ts";
import { HEADER_BYTES } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";
import { inflatePieces, joinPicture } from "./inflate-image.ts";

export interface CheckedPng {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly chunks: readonly PngChunk[];
}

/** Samples per pixel and allowed bits per sample, by color type (table 11.1). */
const colorTypes: Readonly<Record<number, { samples: number; bitDepths: readonly number[] }>> = {
  0: { samples: 1, bitDepths: [1, 2, 4, 8, 16] },
  2: { samples: 3, bitDepths: [8, 16] },
  3: { samples: 1, bitDepths: [1, 2, 4, 8] },
  4: { samples: 2, bitDepths: [8, 16] },
  6: { samples: 4, bitDepths: [8, 16] },
};
const paletteColor = 3;
const lastFilter = 4;

/** Adam7: start and distance of the pixels of each pass. */
const passes = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const;
const noInterlace = [{ x: 0, y: 0, stepX: 1, stepY: 1 }] as const;

/** Rows of one length, each preceded by its filter byte. */
interface Rows {
  readonly count: number;
  readonly byteLength: number;
}

/**
 * Checks a PNG. Inflates in the thread pool, piece by piece.
 * @param maxPixels most pixels (width * height) to accept
 * @throws PngError
 */
export async function checkPng(png: Uint8Array, maxPixels: number): Promise<CheckedPng> {
  const chunks = readChunks(png, crc32);
  const { widthPx, heightPx, rows } = parseAnyHeader(chunks, maxPixels);
  const inflatedByteLength = rows.reduce((sum, { count, byteLength }) => sum + count * (1 + byteLength), 0);
  await inflatePieces(joinPicture(chunks, inflatedByteLength), createFilterCheck(rows));
  return { widthPx, heightPx, chunks };
}

function parseAnyHeader(
  chunks: readonly PngChunk[],
  maxPixels: number,
): { widthPx: number; heightPx: number; rows: readonly Rows[] } {
  const { content, offset } = chunks[0]!;
  if (content.length !== HEADER_BYTES) {
    throw new PngError(`IHDR must have ${HEADER_BYTES} bytes but has ${content.length}`, offset);
  }
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const widthPx = view.getUint32(0);
  const heightPx = view.getUint32(4);
  const pixels = widthPx * heightPx;
  if (pixels === 0 || pixels > maxPixels) {
    throw new PngError(`the picture has ${pixels} pixels; 1 to ${maxPixels} are allowed`, offset);
  }
  const [bitDepth, colorCode, compression, filter, interlace] = content.subarray(8) as unknown as number[];
  const color = colorTypes[colorCode!];
  if (color?.bitDepths.includes(bitDepth!) !== true) {
    throw new PngError(`bit depth ${bitDepth!} with color type ${colorCode!} does not exist`, offset + 8);
  }
  if (compression !== 0 || filter !== 0 || interlace! > 1) {
    throw new PngError("compression, filter or interlace method does not exist", offset + 10);
  }
  if (colorCode === paletteColor) checkPalette(chunks, 2 ** bitDepth!);
  const bitsPerPixel = color.samples * bitDepth!;
  const rows = (interlace === 1 ? passes : noInterlace).flatMap(({ x, y, stepX, stepY }) => {
    const columns = Math.ceil((widthPx - x) / stepX);
    const count = Math.ceil((heightPx - y) / stepY);
    // A pass without pixels has no rows, not even filter bytes.
    return columns > 0 && count > 0 ? [{ count, byteLength: Math.ceil((columns * bitsPerPixel) / 8) }] : [];
  });
  return { widthPx, heightPx, rows };
}

function checkPalette(chunks: readonly PngChunk[], mostEntries: number): void {
  const at = chunks.findIndex(({ type }) => type === "PLTE");
  const entries = at < 0 ? 0 : chunks[at]!.content.length / 3;
  const precedes = at < chunks.findIndex(({ type }) => type === "IDAT");
  if (!precedes || !Number.isInteger(entries) || entries < 1 || entries > mostEntries) {
    throw new PngError(`the picture has no palette of 1 to ${mostEntries} entries`, chunks[0]!.offset);
  }
}

/** Returns a function that takes the inflated picture in pieces and checks the filter byte before each row. */
function createFilterCheck(rows: readonly Rows[]): (piece: Uint8Array) => void {
  let pass = 0;
  let row = 0;
  /** Offset of the next filter byte in the next piece. */
  let ahead = 0;
  return (piece) => {
    let at = ahead;
    while (at < piece.length && pass < rows.length) {
      const filter = piece[at]!;
      if (filter > lastFilter) {
        throw new PngError(`row ${row} of the picture has filter ${filter}, which does not exist`, 0);
      }
      const { count, byteLength } = rows[pass]!;
      at += 1 + byteLength;
      row += 1;
      if (row < count) continue;
      row = 0;
      pass += 1;
    }
    ahead = at - piece.length;
  };
}
