// Decodes a published frame to cells of its source grid: only the pixel rows that show a row of cells first, and of
// those only what a caller needs.
import { crc32 } from "node:zlib";
import {
  toCellFrame,
  toCellGround,
  type CellFrame,
  type CellGround,
  type ClassFrame,
} from "../../../shared/analysis/cell-frame.ts";
import type { Bounds, Coordinate } from "../../../shared/contract/primitives.ts";
import { readClassRuns } from "../../../shared/frames/class-runs.ts";
import { IndexGridBuilder, type IndexGrid } from "../../../shared/frames/index-grid.ts";
import { raiseFromPicture, type RaiseTarget } from "../../../shared/frames/raise-picture.ts";
import { readFrameParts, type IndexedFrameParts } from "../../../shared/frames/read-frame.ts";
import { findCell } from "../../../shared/geo/grid.ts";
import { readChunks } from "../../../shared/png/chunks.ts";
import { filteredByteLength } from "../../../shared/png/header.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { createDecoder8, createScanlineReader } from "../../../shared/png/scanlines.ts";
import { inflatePicture, joinPicture } from "../../platform/png/inflate-image.ts";

/** `damaged` cannot be read; `other` has no classes, coverage or regular grid, such as a picture of another service. */
export type UnreadableCause = "damaged" | "other";

/** Returns the frame, or why it has no cells. @param place reads no more than the cell of this place */
export function decodeCells(
  png: Uint8Array,
  bounds: Bounds,
  place?: Coordinate,
): Promise<CellFrame | UnreadableCause> {
  return readParts(png, (parts) => decodeParts(parts, bounds, place) ?? "other");
}

/** A frame that draws something, its picture still deflated. */
export type DeflatedFrame = CellGround &
  Pick<CellFrame, "classes" | "coverage"> & {
    /** Raises cells as `raiseFromPicture` does. */
    readonly raise: (target: RaiseTarget) => boolean;
  };

/** Returns the frame's ground without decoding its picture; undefined for one that must be decoded. */
export async function readDeflated(png: Uint8Array, bounds: Bounds): Promise<DeflatedFrame | undefined> {
  const read = await readParts(png, (parts) => {
    const { header, chunks, classes, coverage } = parts;
    const { widthPx, heightPx } = header;
    const ground = toCellGround({ bounds, widthPx, heightPx }, coverage);
    if (!ground || widthPx * heightPx === 1) return undefined;
    const { bytes } = joinPicture(chunks, filteredByteLength(header));
    return {
      ...ground,
      classes,
      coverage,
      raise: (target) => raiseFromPicture(bytes, header, target),
    } satisfies DeflatedFrame;
  });
  return typeof read === "string" ? undefined : read;
}

async function readParts<Result>(
  png: Uint8Array,
  use: (parts: Parts) => Result,
): Promise<Result | UnreadableCause> {
  try {
    const parts = await readFrameParts(readChunks(png, crc32), inflate);
    const { classes, coverage } = parts ?? {};
    return parts && classes && coverage ? use({ ...parts, classes, coverage }) : "other";
  } catch (error) {
    if (isPngError(error)) return "damaged";
    throw error;
  }
}

function inflate(deflated: Uint8Array, byteLength: number): Promise<Uint8Array<ArrayBuffer>> {
  const picture = { bytes: deflated, inflatedByteLength: byteLength, offset: 0 };
  return Promise.resolve(Uint8Array.from(inflatePicture(picture)));
}

type Parts = IndexedFrameParts & Pick<ClassFrame, "classes" | "coverage">;

function decodeParts(parts: Parts, bounds: Bounds, place: Coordinate | undefined): CellFrame | undefined {
  const { header, classes, coverage } = parts;
  const { widthPx, heightPx } = header;
  const frame = { bounds, widthPx, heightPx, classes, coverage };
  if (widthPx === 1 && heightPx === 1)
    return toCellFrame({ ...frame, grid: readRows(parts, Int32Array.of(0)) });
  const ground = toCellGround(frame, coverage);
  if (!ground) return undefined;
  const { cells, block } = ground;
  if (!place) {
    const pixelRows = ground.pixelRows.map((_, row) => row);
    return { ...ground, classes, coverage, grid: readRows(parts, ground.pixelRows), pixelRows };
  }
  const cell = cells && findCell(cells, ...place);
  const pixelRow = cell && ground.pixelRows[cell.row - block.rowStart];
  const grid = readRows(parts, pixelRow === undefined ? new Int32Array(0) : Int32Array.of(pixelRow));
  // Whichever row is asked for, it is the one.
  return { ...ground, classes, coverage, grid, pixelRows: new Int32Array(ground.pixelRows.length) };
}

/** Returns a grid of the pixel rows, in their order. @throws PngError for a damaged picture */
function readRows({ header, chunks }: IndexedFrameParts, rows: Int32Array): IndexGrid {
  const { widthPx } = header;
  const builder = new IndexGridBuilder(widthPx, rows.length);
  if (rows.length === 0) return builder.finish();
  const picture = joinPicture(chunks, filteredByteLength(header));
  const runs = readClassRuns(picture.bytes, header, rows);
  if (runs) return runs;
  let next = 0;
  const read = createScanlineReader(header, createDecoder8(header), (row, indices) => {
    if (row !== rows[next]) return;
    builder.addRow(indices);
    next += 1;
  });
  read(inflatePicture(picture));
  return builder.finish();
}
