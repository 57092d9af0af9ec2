// Visits the field of a message row by row, without holding all codes in memory.
import { decodeMessage } from "./decode-field.ts";
import type { Codes } from "./field.ts";
import type { Message } from "./message.ts";
import { PNG_PACKING } from "./representation.ts";
import type { PngFile } from "../../platform/png/read.ts";
import { openPng, streamPngCodes } from "./unpack-png.ts";

/**
 * Receives the codes of one grid row, west first. `row` counts from the north; each row comes once, in any order.
 * `missing` is 1 for cells without a value. Both arrays are valid during the call only.
 */
export type VisitFieldRow = (row: number, codes: Codes, missing: Uint8Array | undefined) => void;

/** Visits all rows. @throws Grib2Error, also after some rows were visited */
export async function visitFieldRows(message: Message, visit: VisitFieldRow): Promise<void> {
  const { grid, packing } = message.header;
  const isPicture = packing.template === PNG_PACKING && packing.bitsPerValue > 0;
  if (isPicture && message.bitmap === undefined && !message.scanning.columnsFirst) {
    const file = openPng(message);
    if (file.header.widthPx === grid.columns) {
      await visitPictureRows(message, file, visit);
      return;
    }
  }
  const { codes, missing } = decodeMessage(message);
  for (let row = 0; row < grid.rows; row++) {
    const at = row * grid.columns;
    visit(row, codes.subarray(at, at + grid.columns), missing?.subarray(at, at + grid.columns));
  }
}

async function visitPictureRows(message: Message, file: PngFile, visit: VisitFieldRow): Promise<void> {
  const { header, scanning } = message;
  await streamPngCodes(message, file, (line, codes) => {
    const row = scanning.southToNorth ? header.grid.rows - 1 - line : line;
    const westward = scanning.eastToWest !== (scanning.alternating && line % 2 === 1);
    // The picture needs its line again as the one above the next, so a copy is reversed.
    visit(row, westward ? codes.slice().reverse() : codes, undefined);
  });
}
