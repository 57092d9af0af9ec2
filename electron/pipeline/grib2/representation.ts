// Section 5 of GRIB2 (data representation): the packing template, the number of values and their scaling.
import type { Packing } from "./field.ts";
import { errorIn, readSigned16 } from "./sections.ts";
import type { Section } from "./sections.ts";

export interface Representation {
  readonly packing: Packing;
  /** The number of codes in section 7: one for each cell, or for each set bit of the bitmap. */
  readonly valueCount: number;
}

/** Numbers of the data representation templates. */
export const SIMPLE_PACKING = 0;
export const COMPLEX_PACKING = 2;
export const DIFFERENCING_PACKING = 3;
export const PNG_PACKING = 41;

/** The least length of section 5, by template. */
const SECTION_BYTES: Readonly<Record<number, number>> = {
  [SIMPLE_PACKING]: 21,
  [COMPLEX_PACKING]: 47,
  [DIFFERENCING_PACKING]: 49,
  [PNG_PACKING]: 21,
};

const MAX_BITS = 32;
/** The greatest scale: no measurement needs more, and exact arithmetic would take unbounded time. */
const MAX_SCALE = 127;

/** Parses section 5. @throws Grib2Error for another template, too many bits, or an absurd scaling */
export function parseRepresentation(section: Section): Representation {
  const { view } = section;
  const template = view.getUint16(9);
  const needed = SECTION_BYTES[template];
  if (needed === undefined) {
    throw errorIn(
      section,
      9,
      `data template 5.${template} is not supported, only 5.0, 5.2, 5.3 and 5.41 are`,
    );
  }
  if (view.byteLength < needed) {
    const { view } = section;
    throw errorIn(
      section,
      0,
      `data template 5.${template} needs ${needed} bytes, the section has ${view.byteLength}`,
    );
  }
  const packing: Packing = {
    template,
    reference: view.getFloat32(11),
    binaryScale: readSigned16(view, 15),
    decimalScale: readSigned16(view, 17),
    bitsPerValue: view.getUint8(19),
  };
  if (!Number.isFinite(packing.reference)) throw errorIn(section, 11, "the reference value is not a number");
  if (Math.abs(packing.binaryScale) > MAX_SCALE || Math.abs(packing.decimalScale) > MAX_SCALE) {
    const text = `binary scale ${packing.binaryScale} and decimal scale ${packing.decimalScale} must be within ±${MAX_SCALE}`;
    throw errorIn(section, 15, text);
  }
  if (packing.bitsPerValue > MAX_BITS) {
    throw errorIn(
      section,
      19,
      `${packing.bitsPerValue} bits a value are not supported, ${MAX_BITS} at most are`,
    );
  }
  return { packing, valueCount: view.getUint32(5) };
}
