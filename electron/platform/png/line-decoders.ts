// Selects the decoder of scanlines for a pixel format. Formats with one sample per pixel have fast decoders.
import { rowByteLength } from "../../../shared/png/header.ts";
import type { PngHeader } from "../../../shared/png/header.ts";
import { createDecoder8 } from "../../../shared/png/scanlines.ts";
import type { LineDecoder } from "../../../shared/png/scanlines.ts";
import { unfilterRow } from "../../../shared/png/unfilter.ts";
import { createLane8 } from "../../../shared/png/unfilter-8.ts";
import { createLane16, unfilterRow16 } from "./unfilter-16.ts";

/** Samples of one row or of all rows, 8 or 16 bits each. */
export type Samples = Uint8Array | Uint16Array;

export function createLineDecoder(header: PngHeader): LineDecoder<Samples> {
  if (header.bytesPerPixel === 1) return createDecoder8(header);
  return header.bytesPerPixel === 2 ? createDecoder16(header) : createDecoderOfBytes(header);
}

function createDecoder16({ widthPx }: PngHeader): LineDecoder<Uint16Array> {
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

function createDecoderOfBytes(header: PngHeader): LineDecoder<Uint8Array> {
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
