// Unpacks data template 7.0 of GRIB2: one integer of fixed width a value, without gaps.
import { unpackBits } from "./bits.ts";
import type { PackedValues } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";

/** @throws Grib2Error if the data's length does not fit their count */
export function openSimple({ header, valueCount, data, dataOffset }: Message): PackedValues {
  const width = header.packing.bitsPerValue;
  const needed = Math.ceil((valueCount * width) / 8);
  if (data.length !== needed) {
    const text = `${valueCount} values of ${width} bits need ${needed} bytes, but section 7 has ${data.length}`;
    throw new Grib2Error(text, dataOffset, 7);
  }
  let at = 0;
  return {
    bits: width,
    hasMissing: false,
    read: (codes) => {
      if (width === 0) codes.fill(0);
      else unpackBits({ bytes: data, at, width, count: codes.length }, codes, 0, 0);
      at += width * codes.length;
    },
  };
}
