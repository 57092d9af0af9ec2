// Section 1 (identification) and section 4 (product definition) of GRIB2: the source, the parameter and the time.
import { errorIn, readSigned32 } from "./sections.ts";
import type { Section } from "./sections.ts";

export interface Identification {
  readonly center: number;
  readonly subcenter: number;
  /** UTC, such as `2024-02-28T02:52:39Z`. */
  readonly referenceAt: string;
}

const PRODUCT_TEMPLATE = 0;
const PRODUCT_TEMPLATE_BYTES = 34;

/** Parses section 1. @throws Grib2Error for a date or a time of day that does not exist */
export function parseIdentification(section: Section): Identification {
  const { view } = section;
  const year = view.getUint16(12);
  const parts = [14, 15, 16, 17, 18].map((at) => view.getUint8(at));
  const [month, day, hour, minute, second] = parts as [number, number, number, number, number];
  const instant = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const pad = (part: number, length = 2): string => String(part).padStart(length, "0");
  // Date.UTC carries a part that is too large into the next one, and takes years below 100 for the 1900s.
  const referenceAt = `${pad(year, 4)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`;
  if (referenceAt !== instant.toISOString().replace(".000Z", "Z")) {
    throw errorIn(section, 12, `the reference time ${referenceAt} does not exist`);
  }
  return {
    center: view.getUint16(5),
    subcenter: view.getUint16(7),
    referenceAt,
  };
}

/** Parses section 4. @throws Grib2Error for another template and for a forecast */
export function parseProduct(section: Section): { category: number; parameter: number } {
  const { view } = section;
  const template = view.getUint16(7);
  if (template !== PRODUCT_TEMPLATE) {
    throw errorIn(section, 7, `product template 4.${template} is not supported, only 4.0 is`);
  }
  if (view.byteLength < PRODUCT_TEMPLATE_BYTES) {
    throw errorIn(
      section,
      0,
      `product template 4.0 needs ${PRODUCT_TEMPLATE_BYTES} bytes, the section has ${view.byteLength}`,
    );
  }
  const forecastTime = readSigned32(view, 18);
  if (forecastTime !== 0) {
    throw errorIn(section, 18, `an observation is expected, but the forecast time is ${forecastTime}`);
  }
  return { category: view.getUint8(9), parameter: view.getUint8(10) };
}
