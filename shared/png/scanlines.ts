// Converts filtered scanlines, in pieces of any size, to raw rows, with one decoder for each kind of sample.
import { rowByteLength } from "./header.ts";
import type { PngHeader } from "./header.ts";
import { PngError } from "./png-error.ts";
import { createLane8, unfilterRow8 } from "./unfilter-8.ts";

/** A decoder that holds one filtered line and the raw row above it. */
export interface LineDecoder<Row> {
  /** Receives the bytes of the next line, without its filter byte. It may be longer than a line. */
  readonly line: Uint8Array;
  /** Returns the raw row of `line`, valid until the next call; undefined for an unknown filter. */
  readonly undo: (filter: number) => Row | undefined;
}

/** Receives a raw row, counted from the top and valid during the call only. */
export type VisitRow<Row> = (row: number, samples: Row) => void;

/**
 * Returns a function that takes the inflated picture piece by piece and calls `visit` with each complete row. The
 * pieces must not exceed the size in the header. The function throws PngError for an unknown filter.
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

/** Creates a decoder for pictures with one byte per pixel. */
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
