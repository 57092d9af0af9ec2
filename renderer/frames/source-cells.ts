// Decodes a frame's PNG to cells of its source grid, without what only the map needs. Fetches nothing.
import { toCellFrame, toCellGround, type CellFrame } from "../../shared/analysis/cell-frame.ts";
import type { Bounds } from "../../shared/contract/index.ts";
import { IndexGridBuilder } from "../../shared/frames/index-grid.ts";
import { readPictureRuns } from "../../shared/frames/picture-runs.ts";
import { readFrameParts } from "../../shared/frames/read-frame.ts";
import { readChunks } from "../../shared/png/chunks.ts";
import { decodeIndices } from "./decode-frame.ts";
import { inflateAll } from "./inflate-stream.ts";

/**
 * Returns undefined for a picture that does not say its classes and its coverage, or is not of a regular grid.
 * @throws PngError as `decodeFrame` does
 */
export async function decodeCells(png: Uint8Array, bounds: Bounds): Promise<CellFrame | undefined> {
  const parts = await readFrameParts(readChunks(png), (deflated, length) => inflateAll([deflated], length));
  if (!parts?.classes || !parts.coverage) return undefined;
  const { classes, coverage } = parts;
  const { widthPx, heightPx } = parts.header;
  const ground = toCellGround({ bounds, widthPx, heightPx }, coverage);
  const isBlank = widthPx === 1 && heightPx === 1;
  const runs = ground && !isBlank ? readPictureRuns(parts, ground.pixelRows) : undefined;
  if (ground && runs) {
    // The runs are of the rows needed, each once.
    const pixelRows = ground.pixelRows.map((_, row) => row);
    const grid = { ...runs, ends: runs.ends.slice(), values: runs.values.slice() };
    return { ...ground, classes, coverage, grid, pixelRows };
  }
  const builder = new IndexGridBuilder(widthPx, heightPx);
  await decodeIndices(parts, builder, undefined);
  return toCellFrame({ bounds, widthPx, heightPx, grid: builder.finish(), classes, coverage });
}
