// Writes PNG from raw or filtered scanlines. The same input always gives the same bytes.
import { constants, createDeflate, deflateSync } from "node:zlib";
import type { ZlibOptions } from "node:zlib";
import { filteredByteLength, rowByteLength } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";
import type { FilterName } from "../../../shared/png/unfilter.ts";
import { assemblePng, toHeader } from "./assemble.ts";
import type { PngParts } from "./assemble.ts";
import { filterRows } from "./filter.ts";

/** Match search of zlib. */
export type DeflateStrategy = "default" | "filtered" | "huffman" | "rle";

interface DeflateChoice {
  readonly strategy?: DeflateStrategy | undefined;
  /** Level of zlib, 0 (stored) to 9; default 6. */
  readonly level?: number | undefined;
}

export interface PngImage extends PngParts, DeflateChoice {
  /** heightPx raw scanlines, top first, without filter bytes; 16-bit samples are big-endian. */
  readonly rows: Uint8Array;
  /** Filter of all rows; default "none". */
  readonly filter?: FilterName | undefined;
}

export interface FilteredPngImage extends PngParts, DeflateChoice {
  /** heightPx rows, top first; each is a filter byte and the filtered scanline. */
  readonly scanlines: Uint8Array;
}

export interface StreamedPngImage extends PngParts, DeflateChoice {
  /** Writes a filter byte and the filtered scanline of a row into `line`. Called for each row, top first. */
  readonly writeScanline: (row: number, line: Uint8Array) => void;
}

const STRATEGIES: Readonly<Record<DeflateStrategy, number>> = {
  default: constants.Z_DEFAULT_STRATEGY,
  filtered: constants.Z_FILTERED,
  huffman: constants.Z_HUFFMAN_ONLY,
  rle: constants.Z_RLE,
};

/** Approximate bytes of scanlines deflated at once. */
const BLOCK_BYTES = 1 << 19;

/**
 * Encodes raw scanlines as a PNG.
 * @throws PngError if lengths, palette or keywords do not match the picture
 */
export function encodePng(image: PngImage): Uint8Array {
  const header = toHeader(image);
  const expected = header.heightPx * rowByteLength(header);
  if (image.rows.length !== expected) {
    throw new PngError(`rows must have ${expected} bytes but have ${image.rows.length}`, 0);
  }
  const { rows, filter, ...rest } = image;
  return encodeFilteredPng({ ...rest, scanlines: filterRows(rows, header, filter ?? "none") });
}

/** Encodes filtered scanlines without copying them. @throws PngError as `encodePng` does */
export function encodeFilteredPng(image: FilteredPngImage): Uint8Array {
  const expected = filteredByteLength(toHeader(image));
  if (image.scanlines.length !== expected) {
    throw new PngError(
      `filtered scanlines must have ${expected} bytes but have ${image.scanlines.length}`,
      0,
    );
  }
  return assemblePng(image, [deflateSync(image.scanlines, toOptions(image))]);
}

/**
 * Encodes scanlines that the caller creates one by one. The thread pool deflates one block while the next is filled, so
 * the whole picture is never in memory.
 * @throws PngError if palette or keywords do not match the picture
 */
export async function streamPng(image: StreamedPngImage): Promise<Uint8Array> {
  const header = toHeader(image);
  const stride = filteredByteLength({ ...header, heightPx: 1 });
  const rowsPerBlock = Math.max(1, Math.min(header.heightPx, Math.floor(BLOCK_BYTES / stride)));
  const blocks = [new Uint8Array(rowsPerBlock * stride), new Uint8Array(rowsPerBlock * stride)] as const;
  const engine = createDeflate(toOptions(image));
  const deflated: Uint8Array[] = [];
  engine.on("data", (piece: Uint8Array) => deflated.push(piece));
  const finished = new Promise<void>((resolve, reject) => {
    engine.once("end", resolve).once("error", reject);
  });
  let written = Promise.resolve();
  for (let row = 0; row < header.heightPx; row += rowsPerBlock) {
    const count = Math.min(rowsPerBlock, header.heightPx - row);
    const block = blocks[(row / rowsPerBlock) & 1]!;
    for (let line = 0; line < count; line++) {
      image.writeScanline(row + line, block.subarray(line * stride, (line + 1) * stride));
    }
    // The other block may be overwritten once it has been read.
    await written;
    written = writeTo(engine, block.subarray(0, count * stride));
  }
  await written;
  engine.end();
  await finished;
  return assemblePng(image, deflated);
}

function writeTo(engine: NodeJS.WritableStream, block: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    engine.write(block, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function toOptions({ strategy, level }: DeflateChoice): ZlibOptions {
  return { level: level ?? 6, memLevel: 9, strategy: STRATEGIES[strategy ?? "default"], chunkSize: 1 << 18 };
}
