// Reads pixel rows of a frame's PNG as runs of equal classes, where its picture has the form of our own.
import { readAllClassRuns, readClassRuns, visitClassRuns, type TakeRowRuns } from "./class-runs.ts";
import { gridByteLength, type RunGrid } from "./index-grid.ts";
import { findPictureData, type IndexedFrameParts } from "./read-frame.ts";

type PictureParts = Pick<IndexedFrameParts, "header" | "chunks">;

/**
 * Returns the rows in their order; undefined for a picture that a general decoder must read.
 * @param rows pixel rows to read, ascending, each once, at least one
 */
export function readPictureRuns({ header, chunks }: PictureParts, rows: Int32Array): RunGrid | undefined {
  return readClassRuns(joinPictureData(chunks), header, rows);
}

/** Returns all rows as `readPictureRuns` does; undefined also for a picture that is smaller as plain bytes. */
export function readAllPictureRuns({ header, chunks }: PictureParts): RunGrid | undefined {
  const grid = readAllClassRuns(joinPictureData(chunks), header);
  if (!grid || gridByteLength(grid) - grid.rowStarts.byteLength > header.widthPx * header.heightPx)
    return undefined;
  return { ...grid, ends: grid.ends.slice(), values: grid.values.slice() };
}

/** Gives the runs of all rows to `take` as `visitClassRuns` does, and returns as it does. */
export function visitPictureRuns({ header, chunks }: PictureParts, take: TakeRowRuns): boolean {
  return visitClassRuns(joinPictureData(chunks), header, take);
}

function joinPictureData(chunks: IndexedFrameParts["chunks"]): Uint8Array {
  const parts = findPictureData(chunks);
  if (parts.length === 1) return parts[0]!;
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
