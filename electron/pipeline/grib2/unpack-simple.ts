// Data template 7.0 (simple packing): one integer of fixed width a value, without gaps.
import { createCodes, unpackBits } from "./bits.ts";
import type { Codes } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";

/** One code a packed value, in scanning order. @throws Grib2Error when the data's length does not fit their count */
export function unpackSimple({ header, valueCount, data, dataOffset }: Message): Codes {
  const width = header.packing.bitsPerValue;
  const needed = Math.ceil((valueCount * width) / 8);
  if (data.length !== needed) {
    const text = `${valueCount} values of ${width} bits need ${needed} bytes, but ${data.length} are there`;
    throw new Grib2Error(text, dataOffset, 7);
  }
  const codes = createCodes(width, valueCount);
  if (width > 0) unpackBits({ bytes: data, at: 0, width, count: valueCount }, codes, 0, 0);
  return codes;
}
