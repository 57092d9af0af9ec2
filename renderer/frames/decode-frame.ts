// Decodes a frame's PNG for the map and the probe. Runs in the decode worker and in tests; fetches nothing.
import { readAllPictureRuns } from "../../shared/frames/picture-runs.ts";
import { findPictureData, readFrameParts } from "../../shared/frames/read-frame.ts";
import type { IndexedFrameParts } from "../../shared/frames/read-frame.ts";
import { readChunks } from "../../shared/png/chunks.ts";
import { filteredByteLength } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { createDecoder8, createScanlineReader } from "../../shared/png/scanlines.ts";
import type { ColorFrame, ColorTile, DecodedFrame, FrameDepth } from "./decoded-frame.ts";
import { findEchoBlock } from "./echo-block.ts";
import { IndexPyramidBuilder, type IndexPyramid } from "./index-pyramid.ts";
import { inflate, inflateAll } from "./inflate-stream.ts";
import { readScreenFrame, type ScreenView } from "./screen/screen-frame.ts";

export interface DecodeOptions {
  /** Largest texture side that the GPU accepts, for color pictures. */
  readonly maxTilePx: number;
  readonly depth: FrameDepth;
  /** Asks for the frame as this screen shows it, where its picture has the form of our own. */
  readonly view?: ScreenView | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decodes a frame.
 * @throws PngError for a damaged or oversized PNG, or texts that break their contract
 */
export async function decodeFrame(png: Uint8Array, options: DecodeOptions): Promise<DecodedFrame> {
  const parts = await readFrameParts(readChunks(png), (deflated, length) => inflateAll([deflated], length));
  if (!parts) return decodeColors(png, options);
  const onScreen = options.view && readScreenFrame(parts, options.view);
  if (onScreen) return onScreen;
  const { header, palette, classes, coverage } = parts;
  const { widthPx, heightPx } = header;
  const runs = options.depth === "cells" ? readAllPictureRuns(parts) : undefined;
  const { grid, coarser } = runs ? { grid: runs, coarser: [] } : await decodePyramid(parts, options);
  const echo = findEchoBlock(grid, classes);
  return { kind: "indexed", widthPx, heightPx, grid, coarser, echo, palette, classes, coverage };
}

async function decodePyramid(
  parts: IndexedFrameParts,
  { depth, signal }: DecodeOptions,
): Promise<IndexPyramid> {
  const { widthPx, heightPx } = parts.header;
  const isOrdered = parts.classes !== undefined;
  const builder = new IndexPyramidBuilder(widthPx, heightPx, isOrdered && depth === "levels");
  await decodeIndices(parts, builder, signal);
  return builder.finish();
}

/** Inflates, unfilters and packs row by row: holds one row and one inflated piece besides the result. */
export async function decodeIndices(
  { header, chunks }: IndexedFrameParts,
  builder: { addRow(row: Uint8Array): void },
  signal: AbortSignal | undefined,
): Promise<void> {
  const take = createScanlineReader(header, createDecoder8(header), (_row, indices) => {
    builder.addRow(indices);
  });
  await inflate(findPictureData(chunks), filteredByteLength(header), take, signal);
}

/** Lets the browser decode a color picture, and cuts it into tiles that fit textures. */
async function decodeColors(png: Uint8Array, options: DecodeOptions): Promise<ColorFrame> {
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
    return { kind: "color", widthPx, heightPx, tiles: [{ columnStart: 0, rowStart: 0, bitmap: whole }] };
  }
  const tiles: ColorTile[] = [];
  for (let rowStart = 0; rowStart < heightPx; rowStart += size) {
    for (let columnStart = 0; columnStart < widthPx; columnStart += size) {
      const width = Math.min(size, widthPx - columnStart);
      const height = Math.min(size, heightPx - rowStart);
      const bitmap = await createImageBitmap(whole, columnStart, rowStart, width, height);
      tiles.push({ columnStart, rowStart, bitmap });
    }
  }
  whole.close();
  return { kind: "color", widthPx, heightPx, tiles };
}
