// Turns filtered scanlines, which may arrive in pieces of any size, into raw rows. Fast paths for 8- and 16-bit samples.
import { rowByteLength } from "../../shared/png/header.ts";
import type { PngHeader } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { unfilterRow } from "../../shared/png/unfilter.ts";
import { createLane8, unfilterRow8 } from "../../shared/png/unfilter-8.ts";
import { createLane16, unfilterRow16 } from "./unfilter-16.ts";

/** One row, or all rows, of samples: numbers of 8 or of 16 bits. */
export type Samples = Uint8Array | Uint16Array;

/** Takes a raw row, counted from the top. The samples are only valid during the call. */
export type VisitRow = (row: number, samples: Samples) => void;

/** Undoes the filter of the line that lies in `line`, and returns its samples; undefined when no such filter exists. */
interface LineDecoder {
  readonly line: Uint8Array;
  readonly undo: (filter: number) => Samples | undefined;
}

/**
 * Returns a function that takes the inflated picture piece by piece and calls `visit` with each row as it is complete.
 * The pieces together must not be longer than the header asks for. It throws PngError for a filter that does not exist.
 */
export function createScanlineReader(header: PngHeader, visit: VisitRow): (piece: Uint8Array) => void {
  const decoder = createLineDecoder(header);
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

function createLineDecoder(header: PngHeader): LineDecoder {
  if (header.bytesPerPixel === 1) return createDecoder8(header);
  return header.bytesPerPixel === 2 ? createDecoder16(header) : createDecoderOfBytes(header);
}

function createDecoder8({ widthPx }: PngHeader): LineDecoder {
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

function createDecoder16({ widthPx }: PngHeader): LineDecoder {
  const line = createLane8(2 * widthPx);
  let above = createLane16(widthPx);
  let out = createLane16(widthPx);
  return {
    line: line.samples,
    undo: (filter) => {
      if (!unfilterRow16(filter, line, above, out)) return undefined;
      [above, out] = [out, above];
      return above.samples.subarray(0, widthPx);
    },
  };
}

function createDecoderOfBytes(header: PngHeader): LineDecoder {
  const line = new Uint8Array(rowByteLength(header));
  const above = new Uint8Array(line.length);
  return {
    line,
    undo: (filter) => {
      if (!unfilterRow(filter, line, above, header.bytesPerPixel)) return undefined;
      above.set(line);
      return line;
    },
  };
}
