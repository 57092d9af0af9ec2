// Turns filtered scanlines, which may arrive in pieces of any size, into raw rows, one at a time; each kind of sample has a
// decoder of its own.
import { rowByteLength } from "./header.ts";
import type { PngHeader } from "./header.ts";
import { PngError } from "./png-error.ts";
import { createLane8, unfilterRow8 } from "./unfilter-8.ts";

/** Holds one filtered line, and the raw row above it. */
export interface LineDecoder<Row> {
  /** Where the bytes of the next line are put, without its filter byte. It may be longer than a line is. */
  readonly line: Uint8Array;
  /** The raw row that lies in `line`, valid until the next call; undefined when no such filter exists. */
  readonly undo: (filter: number) => Row | undefined;
}

/** Takes a raw row, counted from the top, which is valid only during the call. */
export type VisitRow<Row> = (row: number, samples: Row) => void;

/**
 * Returns a function that takes the inflated picture piece by piece and calls `visit` with each row as it is complete.
 * The pieces together must not be longer than the header asks for. It throws PngError for a filter that does not exist.
 */
export function createScanlineReader<Row>(
  header: PngHeader,
  decoder: LineDecoder<Row>,
  visit: VisitRow<Row>,
): (piece: Uint8Array) => void {
  const rowBytes = rowByteLength(header);
  let row = 0;
  let filter = -1;
  let filled = 0;
  return (piece) => {
    for (let at = 0; at < piece.length;) {
      if (filter < 0) filter = piece[at++]!;
      const count = Math.min(rowBytes - filled, piece.length - at);
      decoder.line.set(piece.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled < rowBytes) return;
      const samples = decoder.undo(filter);
      if (!samples)
        throw new PngError(`row ${row} of the picture has filter ${filter}, which does not exist`, 0);
      visit(row, samples);
      row++;
      filter = -1;
      filled = 0;
    }
  };
}

/** Of pictures with a byte a pixel. */
export function createDecoder8({ widthPx }: PngHeader): LineDecoder<Uint8Array> {
  const line = createLane8(widthPx);
  let above = createLane8(widthPx);
  let out = createLane8(widthPx);
  return {
    line: line.samples,
    undo: (filter) => {
      if (!unfilterRow8(filter, line, above, out)) return undefined;
      [above, out] = [out, above];
      return above.samples.subarray(0, widthPx);
    },
  };
}
