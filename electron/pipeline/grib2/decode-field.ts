// Decodes a GRIB2 message to its field: exact packed codes, north row first, with missing cells marked.
import { createCodes, unpackBits } from "./bits.ts";
import type { Codes, Field } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import { readMessage } from "./message.ts";
import type { Message } from "./message.ts";
import { PNG_PACKING, SIMPLE_PACKING } from "./representation.ts";
import { toNorthWestOrder } from "./scan-order.ts";
import { unpackComplex } from "./unpack-complex.ts";
import type { Unpacked } from "./unpack-complex.ts";
import { unpackPng } from "./unpack-png.ts";

/** Decodes the only message in `bytes`. @throws Grib2Error */
export function decodeField(bytes: Uint8Array): Field {
  return decodeMessage(readMessage(bytes));
}

/** Decodes a message. @throws Grib2Error */
export function decodeMessage(message: Message): Field {
  const { header, scanning, bitmap } = message;
  const packed = unpack(message);
  const scanned = bitmap ? spread(packed, bitmap, header.grid.columns * header.grid.rows) : packed;
  return {
    ...header,
    codes: toNorthWestOrder(scanned.codes, header.grid, scanning),
    missing: scanned.missing && toNorthWestOrder(scanned.missing, header.grid, scanning),
  };
}

function unpack(message: Message): Unpacked {
  const { template } = message.header.packing;
  if (template === PNG_PACKING) return { codes: unpackPng(message), missing: undefined };
  if (template === SIMPLE_PACKING) return { codes: unpackSimple(message), missing: undefined };
  return unpackComplex(message);
}

/** Puts the packed codes where the bitmap is 1 and marks the other cells as missing. */
function spread(packed: Unpacked, bitmap: Uint8Array, cells: number): Unpacked {
  const codes: Codes = createCodes(packed.codes.BYTES_PER_ELEMENT * 8, cells);
  const missing = new Uint8Array(cells);
  let next = 0;
  for (let cell = 0; cell < cells; cell++) {
    if (((bitmap[cell >>> 3]! >> (7 - (cell & 7))) & 1) === 0) {
      missing[cell] = 1;
      continue;
    }
    codes[cell] = packed.codes[next]!;
    missing[cell] = packed.missing?.[next] ?? 0;
    next++;
  }
  return { codes, missing };
}

/**
 * Unpacks data template 7.0: one integer of fixed width a value, without gaps.
 * @throws Grib2Error if the data's length does not fit their count
 */
function unpackSimple({ header, valueCount, data, dataOffset }: Message): Codes {
  const width = header.packing.bitsPerValue;
  const needed = Math.ceil((valueCount * width) / 8);
  if (data.length !== needed) {
    const text = `${valueCount} values of ${width} bits need ${needed} bytes, but section 7 has ${data.length}`;
    throw new Grib2Error(text, dataOffset, 7);
  }
  const codes = createCodes(width, valueCount);
  if (width > 0) unpackBits({ bytes: data, at: 0, width, count: valueCount }, codes, 0, 0);
  return codes;
}
