// Undoes the scanline filters of PNG (PNG specification 9.2) for samples of any size. `unfilter-8.ts` is the fast
// path for one byte per pixel.

export type FilterName = "none" | "sub" | "up" | "average" | "paeth";

/** The filter byte in front of a scanline. */
export const FILTER_CODES: Readonly<Record<FilterName, number>> = {
  none: 0,
  sub: 1,
  up: 2,
  average: 3,
  paeth: 4,
};

/** Returns left, up or upper left, the nearest to left + up - upper left (PNG specification 9.4). */
export function toPaethPredictor(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft);
  const toUp = Math.abs(left - upLeft);
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/**
 * Undoes the filter of one scanline in place. `above` is the raw scanline above it; zeros for the first.
 * @returns false for an unknown filter, with `line` unchanged
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
