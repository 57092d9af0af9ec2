// Reads pixel rows of a frame's PNG as runs of equal classes, where its picture has the form of our own.
import { readClassRuns } from "./class-runs.ts";
import type { RunGrid } from "./index-grid.ts";
import { findPictureData, type IndexedFrameParts } from "./read-frame.ts";

/**
 * Returns the rows in their order; undefined for a picture that a general decoder must read.
 * @param rows pixel rows to read, ascending, each once, at least one
 */
export function readPictureRuns(
  { header, chunks }: Pick<IndexedFrameParts, "header" | "chunks">,
  rows: Int32Array,
): RunGrid | undefined {
  const parts = findPictureData(chunks);
  return readClassRuns(parts.length === 1 ? parts[0]! : joinParts(parts), header, rows);
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
