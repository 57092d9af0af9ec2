// Section 5 of GRIB2 (data representation): which template packs the values, how many there are, and their scaling.
import type { Packing } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import { readSigned16 } from "./integers.ts";
import type { Section } from "./sections.ts";

export interface Representation {
  readonly packing: Packing;
  /** How many codes section 7 holds: one a cell, or one a set bit of the bitmap. */
  readonly valueCount: number;
}

/** Data representation templates: their numbers, and the least length of section 5 with each. */
export const SIMPLE_PACKING = 0;
export const COMPLEX_PACKING = 2;
export const DIFFERENCING_PACKING = 3;
export const PNG_PACKING = 41;

const SECTION_BYTES: Readonly<Record<number, number>> = {
  [SIMPLE_PACKING]: 21,
  [COMPLEX_PACKING]: 47,
  [DIFFERENCING_PACKING]: 49,
  [PNG_PACKING]: 21,
};

const MAX_BITS = 32;
/** Beyond these no measurement is meant, and exact arithmetic with them would take unbounded time. */
const MAX_SCALE = 127;

/** @throws Grib2Error for another template, too many bits, or a scaling that cannot be meant */
export function parseRepresentation({ view, offset }: Section): Representation {
  const template = view.getUint16(9);
  const needed = SECTION_BYTES[template];
  if (needed === undefined) {
    throw new Grib2Error(
      `data template 5.${template} is not supported, only 5.0, 5.2, 5.3 and 5.41 are`,
      offset + 9,
      5,
    );
  }
  if (view.byteLength < needed) {
    throw new Grib2Error(
      `data template 5.${template} needs ${needed} bytes, the section has ${view.byteLength}`,
      offset,
      5,
    );
  }
  const packing: Packing = {
    template,
    reference: view.getFloat32(11),
    binaryScale: readSigned16(view, 15),
    decimalScale: readSigned16(view, 17),
    bitsPerValue: view.getUint8(19),
  };
  if (!Number.isFinite(packing.reference))
    throw new Grib2Error("the reference value is not a number", offset + 11, 5);
  if (Math.abs(packing.binaryScale) > MAX_SCALE || Math.abs(packing.decimalScale) > MAX_SCALE) {
    const text = `binary scale ${packing.binaryScale} and decimal scale ${packing.decimalScale} must lie within ±${MAX_SCALE}`;
    throw new Grib2Error(text, offset + 15, 5);
  }
  if (packing.bitsPerValue > MAX_BITS) {
    throw new Grib2Error(
      `${packing.bitsPerValue} bits a value are not supported, ${MAX_BITS} at most are`,
      offset + 19,
      5,
    );
  }
  return { packing, valueCount: view.getUint32(5) };
}
