// Visits the field of a message line by line, in the order of the file, and holds only one line. A line is a row or a
// column of the grid.
import { createCodes } from "./bits.ts";
import type { Codes, PackedValues } from "./field.ts";
import type { Message } from "./message.ts";
import { PNG_PACKING, SIMPLE_PACKING } from "./representation.ts";
import { openComplex } from "./unpack-complex.ts";
import { hasPicture, openPng, unpackPng, visitPngCodes } from "./unpack-png.ts";
import { openSimple } from "./unpack-simple.ts";

/** `missing` is 1 for cells without a value. Both arrays are valid during the call only. */
export type VisitLine = (line: number, codes: Codes, missing: Uint8Array | undefined) => void;

/** @throws Grib2Error, also after some lines were visited */
export function visitLines(message: Message, visit: VisitLine): void {
  if (hasPicture(message) && message.bitmap === undefined) {
    visitPngCodes(message, openPng(message), (line, codes) => {
      visit(line, codes, undefined);
    });
    return;
  }
  const { header, scanning, bitmap } = message;
  const { columns, rows } = header.grid;
  const [lines, length] = scanning.columnsFirst ? [columns, rows] : [rows, columns];
  const values = openValues(message);
  const codes = createCodes(values.bits, length);
  const missing = bitmap !== undefined || values.hasMissing ? new Uint8Array(length) : undefined;
  const read = bitmap ? spread(values, bitmap, length) : values.read;
  for (let line = 0; line < lines; line++) {
    read(codes, missing);
    visit(line, codes, missing);
  }
}

function openValues(message: Message): PackedValues {
  const { template } = message.header.packing;
  if (template === SIMPLE_PACKING) return openSimple(message);
  return template === PNG_PACKING ? unpackPng(message) : openComplex(message);
}

/** Returns a reader that puts the values where the bitmap is 1, and marks the other cells as missing. */
function spread(values: PackedValues, bitmap: Uint8Array, length: number): PackedValues["read"] {
  const packed = createCodes(values.bits, length);
  const packedMissing = values.hasMissing ? new Uint8Array(length) : undefined;
  let at = 0;
  return (codes, missing) => {
    let count = 0;
    for (let cell = 0; cell < length; cell++) count += bitAt(bitmap, at + cell);
    values.read(packed.subarray(0, count), packedMissing?.subarray(0, count));
    let next = 0;
    for (let cell = 0; cell < length; cell++) {
      const isSet = bitAt(bitmap, at + cell) === 1;
      codes[cell] = isSet ? packed[next]! : 0;
      missing![cell] = isSet ? (packedMissing?.[next] ?? 0) : 1;
      if (isSet) next++;
    }
    at += length;
  };
}

function bitAt(bitmap: Uint8Array, at: number): number {
  return (bitmap[at >>> 3]! >> (7 - (at & 7))) & 1;
}
