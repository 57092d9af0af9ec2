// Visits the field of a message row by row. Holds one row, unless the file's lines are columns.
import { decodeMessage } from "./decode-field.ts";
import type { Codes } from "./field.ts";
import type { Message } from "./message.ts";
import { hasPicture, openPng, streamPngCodes } from "./unpack-png.ts";
import { visitLines } from "./visit-lines.ts";
import type { VisitLine } from "./visit-lines.ts";

/**
 * Receives the codes of one grid row, west first. `row` counts from the north; each row comes once, in any order.
 * `missing` is 1 for cells without a value. Both arrays are valid during the call only.
 */
export type VisitFieldRow = (row: number, codes: Codes, missing: Uint8Array | undefined) => void;

/** Visits all rows. @throws Grib2Error, also after some rows were visited */
export async function visitFieldRows(message: Message, visit: VisitFieldRow): Promise<void> {
  if (message.scanning.columnsFirst) visitDecodedRows(message, visit);
  else if (hasPicture(message) && message.bitmap === undefined) {
    const visitLine = toLineVisitor(message, visit);
    await streamPngCodes(message, openPng(message), (line, codes) => {
      visitLine(line, codes, undefined);
    });
  } else visitLines(message, toLineVisitor(message, visit));
}

function visitDecodedRows(message: Message, visit: VisitFieldRow): void {
  const { columns, rows } = message.header.grid;
  const { codes, missing } = decodeMessage(message);
  for (let row = 0; row < rows; row++) {
    const at = row * columns;
    visit(row, codes.subarray(at, at + columns), missing?.subarray(at, at + columns));
  }
}

/** Converts lines that are rows to rows from the north, west first. */
function toLineVisitor({ header, scanning }: Message, visit: VisitFieldRow): VisitLine {
  return (line, codes, missing) => {
    const row = scanning.southToNorth ? header.grid.rows - 1 - line : line;
    const westward = scanning.eastToWest !== (scanning.alternating && line % 2 === 1);
    // A picture needs its line again as the one above the next, so a copy is reversed.
    if (westward) visit(row, codes.slice().reverse(), missing?.slice().reverse());
    else visit(row, codes, missing);
  };
}
