// Decodes a frame's PNG for the map and the probe. Runs in the decode worker and in tests; fetches nothing.
import { findPictureData, readFrameParts } from "../../shared/frames/read-frame.ts";
import type { IndexedFrameParts } from "../../shared/frames/read-frame.ts";
import { readChunks } from "../../shared/png/chunks.ts";
import { filteredByteLength } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { createDecoder8, createScanlineReader } from "../../shared/png/scanlines.ts";
import type { ColourFrame, ColourTile, DecodedFrame } from "./decoded-frame.ts";
import { IndexGridBuilder } from "./index-grid.ts";
import type { IndexGrid } from "./index-grid.ts";
import { inflate, inflateAll } from "./inflate-stream.ts";

export interface DecodeOptions {
  /** The widest and highest texture that the GPU takes, for pictures in colours. */
  readonly maxTilePx: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decodes a frame.
 * @throws PngError for a damaged or oversized PNG, or texts that break their contract
 */
export async function decodeFrame(png: Uint8Array, options: DecodeOptions): Promise<DecodedFrame> {
  const parts = await readFrameParts(readChunks(png), (deflated, length) => inflateAll([deflated], length));
  if (!parts) return decodeColours(png, options);
  const { header, palette, classes, coverage } = parts;
  const { widthPx, heightPx } = header;
  const grid = await decodeIndices(parts, options.signal);
  return { kind: "indexed", widthPx, heightPx, grid, palette, classes, coverage };
}

/** Inflates, unfilters and packs row by row: holds one row and one inflated piece besides the result. */
async function decodeIndices(
  { header, chunks }: IndexedFrameParts,
  signal: AbortSignal | undefined,
): Promise<IndexGrid> {
  const builder = new IndexGridBuilder(header.widthPx, header.heightPx);
  const take = createScanlineReader(header, createDecoder8(header), (_row, indices) => {
    builder.addRow(indices);
  });
  await inflate(findPictureData(chunks), filteredByteLength(header), take, signal);
  return builder.finish();
}

/** A picture of another kind: the browser decodes it, and it is cut into tiles that fit textures. */
async function decodeColours(png: Uint8Array, options: DecodeOptions): Promise<ColourFrame> {
  const blob = new Blob([png.slice()], { type: "image/png" });
  let whole: ImageBitmap;
  try {
    whole = await createImageBitmap(blob, { premultiplyAlpha: "premultiply", colorSpaceConversion: "none" });
  } catch (cause) {
    throw new PngError("the browser cannot decode this picture", 0, { cause });
  }
  const { width: widthPx, height: heightPx } = whole;
  const size = options.maxTilePx;
  if (widthPx <= size && heightPx <= size) {
    return { kind: "colour", widthPx, heightPx, tiles: [{ columnStart: 0, rowStart: 0, bitmap: whole }] };
  }
  const tiles: ColourTile[] = [];
  for (let rowStart = 0; rowStart < heightPx; rowStart += size) {
    for (let columnStart = 0; columnStart < widthPx; columnStart += size) {
      const width = Math.min(size, widthPx - columnStart);
      const height = Math.min(size, heightPx - rowStart);
      const bitmap = await createImageBitmap(whole, columnStart, rowStart, width, height);
      tiles.push({ columnStart, rowStart, bitmap });
    }
  }
  whole.close();
  return { kind: "colour", widthPx, heightPx, tiles };
}
