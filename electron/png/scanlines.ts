// Walks the filtered scanlines of an inflated PNG and hands out raw rows, with fast paths for 8- and 16-bit samples.
import { rowByteLength } from "../../shared/png/header.ts";
import type { PngHeader } from "../../shared/png/header.ts";
import { PngError } from "../../shared/png/png-error.ts";
import { unfilterRow } from "../../shared/png/unfilter.ts";
import { unfilterRow16 } from "./unfilter-16.ts";
import { unfilterRow8 } from "./unfilter-8.ts";

/** One row, or all rows, of samples: numbers of 8 or of 16 bits. */
export type Samples = Uint8Array | Uint16Array;

type VisitRow = (row: number, samples: Samples) => void;

/**
 * Calls `visit` with each raw row, top first; its samples are only valid during the call.
 * @param filtered heightPx scanlines, each with its filter byte in front; exactly as long as the header asks for
 * @throws PngError for a filter that does not exist
 */
export function visitScanlines(filtered: Uint8Array, header: PngHeader, visit: VisitRow): void {
  if (header.bytesPerPixel === 1) visitRows8(filtered, header, visit);
  else if (header.bytesPerPixel === 2) visitRows16(filtered, header, visit);
  else visitRowsOfBytes(filtered, header, visit);
}

function visitRows8(filtered: Uint8Array, { widthPx, heightPx }: PngHeader, visit: VisitRow): void {
  const padded = toWholeWords(widthPx);
  const line = toLane8(padded);
  const lanes = [toLane8(padded), toLane8(padded)] as const;
  const rows = lanes.map(({ samples }) => samples.subarray(0, widthPx));
  for (let row = 0; row < heightPx; row++) {
    const at = row * (1 + widthPx);
    line.samples.set(filtered.subarray(at + 1, at + 1 + widthPx));
    const parity = row & 1;
    const known = unfilterRow8(filtered[at]!, line, lanes[1 - parity]!, lanes[parity]!);
    if (!known) throw unknownFilter(row, filtered[at]!);
    visit(row, rows[parity]!);
  }
}

function visitRows16(filtered: Uint8Array, { widthPx, heightPx }: PngHeader, visit: VisitRow): void {
  const rowBytes = 2 * widthPx;
  const padded = toWholeWords(rowBytes);
  const line = toLane8(padded);
  const lanes = [toLane16(padded), toLane16(padded)] as const;
  const rows = lanes.map(({ samples }) => samples.subarray(0, widthPx));
  for (let row = 0; row < heightPx; row++) {
    const at = row * (1 + rowBytes);
    line.samples.set(filtered.subarray(at + 1, at + 1 + rowBytes));
    const parity = row & 1;
    const known = unfilterRow16(filtered[at]!, line, lanes[1 - parity]!, lanes[parity]!);
    if (!known) throw unknownFilter(row, filtered[at]!);
    visit(row, rows[parity]!);
  }
}

function visitRowsOfBytes(filtered: Uint8Array, header: PngHeader, visit: VisitRow): void {
  const rowBytes = rowByteLength(header);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let row = 0; row < header.heightPx; row++) {
    const at = row * (1 + rowBytes);
    const line = filtered.subarray(at + 1, at + 1 + rowBytes);
    if (!unfilterRow(filtered[at]!, line, above, header.bytesPerPixel))
      throw unknownFilter(row, filtered[at]!);
    visit(row, line);
    above = line;
  }
}

function toWholeWords(byteLength: number): number {
  return Math.ceil(byteLength / 4) * 4;
}

function toLane8(byteLength: number): { samples: Uint8Array; words: Int32Array } {
  const buffer = new ArrayBuffer(byteLength);
  return { samples: new Uint8Array(buffer), words: new Int32Array(buffer) };
}

function toLane16(byteLength: number): { samples: Uint16Array; words: Int32Array } {
  const buffer = new ArrayBuffer(byteLength);
  return { samples: new Uint16Array(buffer), words: new Int32Array(buffer) };
}

function unknownFilter(row: number, filter: number): PngError {
  return new PngError(`row ${row} of the picture has filter ${filter}, which does not exist`, 0);
}
