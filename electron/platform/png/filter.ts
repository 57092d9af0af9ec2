// Applies the five scanline filters of PNG (PNG specification 9.2).
import { rowByteLength } from "../../../shared/png/header.ts";
import type { PngHeader } from "../../../shared/png/header.ts";
import { FILTER_CODES, toPaethPredictor } from "../../../shared/png/unfilter.ts";
import type { FilterName } from "../../../shared/png/unfilter.ts";

/** Applies one filter to all rows. Returns scanlines with a filter byte before each. */
export function filterRows(rows: Uint8Array, header: PngHeader, filter: FilterName): Uint8Array {
  const rowBytes = rowByteLength(header);
  const out = new Uint8Array(header.heightPx * (1 + rowBytes));
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let row = 0; row < header.heightPx; row++) {
    const raw = rows.subarray(row * rowBytes, (row + 1) * rowBytes);
    const at = row * (1 + rowBytes);
    out[at] = FILTER_CODES[filter];
    filterRow(raw, above, out.subarray(at + 1, at + 1 + rowBytes), filter, header.bytesPerPixel);
    above = raw;
  }
  return out;
}

function filterRow(
  raw: Uint8Array,
  above: Uint8Array,
  out: Uint8Array,
  filter: FilterName,
  bytesPerPixel: number,
): void {
  if (filter === "none") {
    out.set(raw);
    return;
  }
  for (let at = 0; at < raw.length; at++) {
    const left = at < bytesPerPixel ? 0 : raw[at - bytesPerPixel]!;
    const upLeft = at < bytesPerPixel ? 0 : above[at - bytesPerPixel]!;
    out[at] = raw[at]! - toPrediction(filter, left, above[at]!, upLeft);
  }
}

function toPrediction(filter: Exclude<FilterName, "none">, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case "sub":
      return left;
    case "up":
      return up;
    case "average":
      return (left + up) >> 1;
    case "paeth":
      return toPaethPredictor(left, up, upLeft);
  }
}
