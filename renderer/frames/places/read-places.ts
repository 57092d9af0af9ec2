// Reads a few places of a frame's PNG in one pass, which ends at the southernmost row needed. Fetches nothing.
import { toCellFrame, toCellGround, type CellFrame } from "../../../shared/analysis/cell-frame.ts";
import { readNearby } from "../../../shared/analysis/nearby-reading.ts";
import { PlaceCrops, type FrameFacts } from "../../../shared/analysis/place-crops.ts";
import { readPlace, type PlaceReading } from "../../../shared/analysis/place-reading.ts";
import type { Bounds, Coordinate } from "../../../shared/contract/index.ts";
import { copyBlock } from "../../../shared/frames/index-grid.ts";
import { readPictureRuns } from "../../../shared/frames/picture-runs.ts";
import { findPictureData, readFrameParts } from "../../../shared/frames/read-frame.ts";
import type { IndexedFrameParts } from "../../../shared/frames/read-frame.ts";
import { readChunks } from "../../../shared/png/chunks.ts";
import { filteredByteLength } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";
import { createDecoder8, createScanlineReader } from "../../../shared/png/scanlines.ts";
import { inflateAll, inflateStart } from "../inflate-stream.ts";

/** A frame's answer at one place. */
export interface PlaceReadings {
  readonly cell: PlaceReading;
  /** The largest within `nearbyKm`. */
  readonly nearby: PlaceReading;
}

export interface PlacesRequest {
  readonly bounds: Bounds;
  readonly places: readonly Coordinate[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns one answer for each place, in their order.
 * @throws PngError for a damaged PNG, and for a picture without classes or coverage, whose cells cannot be read
 */
export async function readPlaces(png: Uint8Array, request: PlacesRequest): Promise<PlaceReadings[]> {
  const parts = await readFrameParts(readChunks(png), (deflated, length) => inflateAll([deflated], length));
  if (!parts?.classes || !parts.coverage) throw new PngError("the picture has no classes to read", 0);
  const frames = await cropFrames(parts, { classes: parts.classes, coverage: parts.coverage }, request);
  return request.places.map((place, index) => {
    const frame = frames[index]!;
    return { cell: readPlace(frame, place), nearby: readNearby(frame, place) };
  });
}

async function cropFrames(
  parts: IndexedFrameParts,
  facts: FrameFacts,
  { bounds, places, signal }: PlacesRequest,
): Promise<CellFrame[]> {
  const { widthPx, heightPx } = parts.header;
  const extent = { bounds, widthPx, heightPx };
  if (widthPx === 1 && heightPx === 1) {
    const indices = new Uint8Array(1);
    await inflateRows(parts, { rows: 1, signal }, (_, row) => {
      indices.set(row);
    });
    const frame = toCellFrame({ ...extent, ...facts, grid: { kind: "raw", widthPx, heightPx, indices } });
    return places.map(() => checkCells(frame));
  }
  const crops = new PlaceCrops(checkCells(toCellGround(extent, facts.coverage)), places);
  const { rows } = crops;
  const runs = rows.length > 0 ? readPictureRuns(parts, rows) : undefined;
  if (runs) {
    const row = new Uint8Array(widthPx);
    rows.forEach((pixelRow, place) => {
      copyBlock(runs, { rowStart: place, rowEnd: place + 1, columnStart: 0, columnEnd: widthPx }, row);
      crops.addRow(pixelRow, row);
    });
  } else if (rows.length > 0) {
    await inflateRows(parts, { rows: rows.at(-1)! + 1, signal }, (pixelRow, row) => {
      crops.addRow(pixelRow, row);
    });
  }
  return crops.toFrames(facts);
}

function checkCells<T>(cells: T | undefined): T {
  if (cells === undefined) throw new PngError("the picture's rows are not those of a regular grid", 0);
  return cells;
}

interface RowsNeeded {
  readonly rows: number;
  readonly signal: AbortSignal | undefined;
}

async function inflateRows(
  { header, chunks }: IndexedFrameParts,
  { rows, signal }: RowsNeeded,
  visit: (pixelRow: number, row: Uint8Array) => void,
): Promise<void> {
  const take = createScanlineReader(header, createDecoder8(header), visit);
  await inflateStart(
    findPictureData(chunks),
    filteredByteLength({ ...header, heightPx: rows }),
    take,
    signal,
  );
}
