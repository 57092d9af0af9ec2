// Section 1 (identification) and section 4 (product definition) of GRIB2: who made the field, of what, and for when.
import { Grib2Error } from "./grib2-error.ts";
import { readSigned32 } from "./integers.ts";
import type { Section } from "./sections.ts";

export interface Identification {
  readonly centre: number;
  readonly subcentre: number;
  /** UTC, for instance `2024-02-28T02:52:39Z`. */
  readonly referenceAt: string;
}

const PRODUCT_TEMPLATE = 0;
const PRODUCT_TEMPLATE_BYTES = 34;

/** @throws Grib2Error for a date or a time of day that does not exist */
export function parseIdentification({ view, offset }: Section): Identification {
  const year = view.getUint16(12);
  const [month, day, hour, minute, second] = [14, 15, 16, 17, 18].map((at) => view.getUint8(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC carries what is too large into the next field, and takes years below 100 for the 1900s.
  const exists =
    instant.getUTCFullYear() === year &&
    instant.getUTCMonth() === month - 1 &&
    instant.getUTCDate() === day &&
    instant.getUTCHours() === hour &&
    instant.getUTCMinutes() === minute &&
    instant.getUTCSeconds() === second;
  if (!exists) {
    const text = `${year}-${month}-${day} ${hour}:${minute}:${second}`;
    throw new Grib2Error(`the reference time ${text} does not exist`, offset + 12, 1);
  }
  return {
    centre: view.getUint16(5),
    subcentre: view.getUint16(7),
    referenceAt: instant.toISOString().replace(".000Z", "Z"),
  };
}

/** Category and parameter. @throws Grib2Error for another product template and for a forecast */
export function parseProduct({ view, offset }: Section): { category: number; parameter: number } {
  const template = view.getUint16(7);
  if (template !== PRODUCT_TEMPLATE) {
    throw new Grib2Error(`product template 4.${template} is not supported, only 4.0 is`, offset + 7, 4);
  }
  if (view.byteLength < PRODUCT_TEMPLATE_BYTES) {
    throw new Grib2Error(
      `product template 4.0 needs ${PRODUCT_TEMPLATE_BYTES} bytes, the section has ${view.byteLength}`,
      offset,
      4,
    );
  }
  const forecastTime = readSigned32(view, 18);
  if (forecastTime !== 0) {
    throw new Grib2Error(
      `an observation is expected, but the forecast time is ${forecastTime}`,
      offset + 18,
      4,
    );
  }
  return { category: view.getUint8(9), parameter: view.getUint8(10) };
}
