// Converts packed codes to values (GRIB2 regulation 92.9.4).
import type { Scaling } from "../../pipeline/grib2/field.ts";

/** Returns (reference + code * 2^binaryScale) / 10^decimalScale in 64-bit arithmetic. */
export function toValue(code: number, scaling: Scaling): number {
  const { reference, binaryScale, decimalScale } = scaling;
  const scaled = reference + code * 2 ** binaryScale;
  // 10^n is exact for n up to 22; a negative power of ten never is.
  return decimalScale >= 0 ? scaled / 10 ** decimalScale : scaled * 10 ** -decimalScale;
}
