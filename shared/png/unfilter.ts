// Undoes the scanline filters of PNG (PNG specification 9.2). The hot loop of every decoder here.
import { filteredByteLength, rowByteLength } from "./header.ts";
import type { PngHeader } from "./header.ts";
import { PngError } from "./png-error.ts";

export type FilterName = "none" | "sub" | "up" | "average" | "paeth";

/** The filter byte in front of a scanline. */
export const FILTER_CODES: Readonly<Record<FilterName, number>> = {
  none: 0,
  sub: 1,
  up: 2,
  average: 3,
  paeth: 4,
};

/** PNG specification 9.4: of left, up and upper left, the one nearest to left + up - upper left. */
export function toPaethPredictor(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft);
  const toUp = Math.abs(left - upLeft);
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/**
 * Turns filtered scanlines into raw ones: returns a new array of heightPx rows without filter bytes, top first.
 * `filtered` is used as working space and holds raw scanlines afterwards.
 * @throws PngError when the length does not fit the header, or for a filter that does not exist.
 */
export function unfilterImage(filtered: Uint8Array, header: PngHeader): Uint8Array {
  const rowBytes = rowByteLength(header);
  if (filtered.length !== filteredByteLength(header)) {
    throw new PngError(
      `the picture must inflate to ${filteredByteLength(header)} bytes but gives ${filtered.length}`,
      0,
    );
  }
  const out = new Uint8Array(header.heightPx * rowBytes);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let row = 0; row < header.heightPx; row++) {
    const at = row * (1 + rowBytes);
    const line = filtered.subarray(at + 1, at + 1 + rowBytes);
    if (!unfilterRow(filtered[at]!, line, above, header.bytesPerPixel)) {
      throw new PngError(`row ${row} has filter ${filtered[at]!}, which does not exist`, 0);
    }
    out.set(line, row * rowBytes);
    above = line;
  }
  return out;
}

/**
 * Undoes the filter of one scanline in place. `above` is the raw scanline above it, of the same length (zeros for the first).
 * @returns false, and leaves `line` as it is, when no such filter exists
 */
export function unfilterRow(
  filter: number,
  line: Uint8Array,
  above: Uint8Array,
  bytesPerPixel: number,
): boolean {
  switch (filter) {
    case FILTER_CODES.none:
      return true;
    case FILTER_CODES.sub:
      undoSub(line, bytesPerPixel);
      return true;
    case FILTER_CODES.up:
      undoUp(line, above);
      return true;
    case FILTER_CODES.average:
      undoAverage(line, above, bytesPerPixel);
      return true;
    case FILTER_CODES.paeth:
      undoPaeth(line, above, bytesPerPixel);
      return true;
    default:
      return false;
  }
}

function undoSub(line: Uint8Array, bytesPerPixel: number): void {
  for (let at = bytesPerPixel; at < line.length; at++) line[at] = line[at]! + line[at - bytesPerPixel]!;
}

function undoUp(line: Uint8Array, above: Uint8Array): void {
  for (let at = 0; at < line.length; at++) line[at] = line[at]! + above[at]!;
}

function undoAverage(line: Uint8Array, above: Uint8Array, bytesPerPixel: number): void {
  for (let at = 0; at < bytesPerPixel; at++) line[at] = line[at]! + (above[at]! >> 1);
  for (let at = bytesPerPixel; at < line.length; at++) {
    line[at] = line[at]! + ((line[at - bytesPerPixel]! + above[at]!) >> 1);
  }
}

function undoPaeth(line: Uint8Array, above: Uint8Array, bytesPerPixel: number): void {
  for (let at = 0; at < bytesPerPixel; at++) line[at] = line[at]! + above[at]!;
  for (let at = bytesPerPixel; at < line.length; at++) {
    const left = line[at - bytesPerPixel]!;
    const up = above[at]!;
    line[at] = line[at]! + toPaethPredictor(left, up, above[at - bytesPerPixel]!);
  }
}
