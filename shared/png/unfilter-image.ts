// A whole inflated picture to raw samples, for decoders without Node: the browser's decode worker.
import { filteredByteLength, rowByteLength } from "./header.ts";
import type { PngHeader } from "./header.ts";
import { PngError } from "./png-error.ts";
import { unfilterRow } from "./unfilter.ts";
import { createLane8, unfilterRow8 } from "./unfilter-8.ts";

/**
 * Turns filtered scanlines into raw ones: returns a new array of heightPx rows without filter bytes, top first.
 * 16-bit samples stay big-endian. `filtered` may be overwritten.
 * @throws PngError when the length does not fit the header, or for a filter that does not exist
 */
export function unfilterImage(filtered: Uint8Array, header: PngHeader): Uint8Array {
  if (filtered.length !== filteredByteLength(header)) {
    throw new PngError(
      `the picture must inflate to ${filteredByteLength(header)} bytes but gives ${filtered.length}`,
      0,
    );
  }
  const out = new Uint8Array(header.heightPx * rowByteLength(header));
  if (header.bytesPerPixel === 1) unfilterBytes(filtered, header, out);
  else unfilterPixels(filtered, header, out);
  return out;
}

function unfilterBytes(filtered: Uint8Array, { widthPx, heightPx }: PngHeader, out: Uint8Array): void {
  const line = createLane8(widthPx);
  const lanes = [createLane8(widthPx), createLane8(widthPx)] as const;
  for (let row = 0; row < heightPx; row++) {
    const at = row * (1 + widthPx);
    const lane = lanes[row & 1]!;
    line.samples.set(filtered.subarray(at + 1, at + 1 + widthPx));
    const known = unfilterRow8(filtered[at]!, line, lanes[1 - (row & 1)]!, lane);
    if (!known) throw unknownFilter(row, filtered[at]!);
    out.set(lane.samples.subarray(0, widthPx), row * widthPx);
  }
}

function unfilterPixels(filtered: Uint8Array, header: PngHeader, out: Uint8Array): void {
  const rowBytes = rowByteLength(header);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let row = 0; row < header.heightPx; row++) {
    const at = row * (1 + rowBytes);
    const line = filtered.subarray(at + 1, at + 1 + rowBytes);
    if (!unfilterRow(filtered[at]!, line, above, header.bytesPerPixel))
      throw unknownFilter(row, filtered[at]!);
    out.set(line, row * rowBytes);
    above = line;
  }
}

function unknownFilter(row: number, filter: number): PngError {
  return new PngError(`row ${row} of the picture has filter ${filter}, which does not exist`, 0);
}
