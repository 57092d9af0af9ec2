// Reads a stored frame as a picture of its source cells.
import { crc32, deflate as deflateCallback } from "node:zlib";
import { promisify } from "node:util";
import { emptyGround, toCellGround } from "../../../../shared/analysis/cell-frame.ts";
import { AppError } from "../../../../shared/app-error.ts";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import {
  readFrameParts,
  type IndexedFrameParts,
  type Inflate,
} from "../../../../shared/frames/read-frame.ts";
import { blockBounds } from "../../../../shared/geo/grid.ts";
import { readChunks } from "../../../../shared/png/chunks.ts";
import { isPngError } from "../../../../shared/png/png-error.ts";
import type { CellRaster } from "../../../../shared/rasters/cell-raster.ts";
import type { Deflate } from "../../../../shared/rasters/deflate.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { inflatePicture } from "../../../platform/png/inflate-image.ts";
import { streamPngRows } from "../../../platform/png/read.ts";
import type { ChosenLayer } from "./read-layers.ts";

const deflateInPool = promisify(deflateCallback);

export const deflate: Deflate = (bytes) => deflateInPool(bytes);

/** @throws AppError `stored-data-invalid` for a frame that is damaged, or does not say its classes and their cells */
export async function readRaster(png: Uint8Array, bounds: Bounds): Promise<CellRaster> {
  try {
    const parts = await readFrameParts(readChunks(png, crc32), inflate);
    const raster = parts && (await readCells(parts, bounds));
    if (raster) return raster;
  } catch (error) {
    if (!isPngError(error)) throw error;
    throw new AppError("stored-data-invalid", "A stored frame cannot be read.", { cause: error });
  }
  throw new AppError("stored-data-invalid", "A stored frame does not say its classes and their cells.");
}

const inflate: Inflate = (bytes, inflatedByteLength) =>
  Promise.resolve(new Uint8Array(inflatePicture({ bytes, inflatedByteLength, offset: 0 })));

async function readCells(parts: IndexedFrameParts, bounds: Bounds): Promise<CellRaster | undefined> {
  const { header, palette, classes, coverage } = parts;
  if (!classes || !coverage) return undefined;
  const { widthPx, heightPx } = header;
  const isBlank = widthPx === 1 && heightPx === 1;
  const ground = isBlank ? emptyGround : toCellGround({ bounds, widthPx, heightPx }, coverage);
  if (!ground) return undefined;
  const pixelRows = isBlank ? Int32Array.of(0) : ground.pixelRows;
  const indices = new Uint8Array(pixelRows.length * widthPx);
  let next = 0;
  await streamPngRows(parts, (row, samples) => {
    if (row !== pixelRows[next]) return;
    indices.set(samples, next * widthPx);
    next += 1;
  });
  const edges = ground.cells ? blockBounds(ground.cells, ground.block) : bounds;
  return { columns: widthPx, rows: pixelRows.length, bounds: edges, indices, palette, classes, coverage };
}

/** @throws AppError `frame-missing`; as `readRaster` does */
export async function loadRaster(
  frames: Pick<FrameStore, "read">,
  { facts, published: { frameId, bounds } }: ChosenLayer,
): Promise<CellRaster> {
  const png = await frames.read(frameId);
  if (png) return readRaster(png, bounds);
  const { sequence } = facts.revision;
  throw new AppError("frame-missing", `The frame of ${facts.id} in revision ${sequence} is missing.`, {
    context: { frameId },
  });
}
