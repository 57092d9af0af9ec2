// From edges in a product's unit to packed codes, in exact integer arithmetic: a value of 25.4 mm is one inch, whatever
// binary or decimal scale packs it.
import type { Scaling } from "../grib2/field.ts";

/** An edge as a fraction, in the product's unit. `denominator` is a positive integer. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** One more than the greatest code of 32 bits: no code reaches it. */
const NO_CODE = 2 ** 32;

/** A 32-bit float is a whole number of these. */
const FLOAT32_FRACTION_BITS = 149;

/**
 * The least code whose value is at or above an edge: 0 when every code is, 2^32 when none of 32 bits is.
 *
 * The value of code c is (R + c * 2^E) / 10^D, so c must be at least (edge * 10^D - R) / 2^E, a fraction of integers
 * once R, which is a multiple of 2^-149, and 2^E are written with a common power of two.
 */
export function toLeastCode({ numerator, denominator }: Fraction, scaling: Scaling): number {
  const { reference, binaryScale, decimalScale } = scaling;
  const tens = 10n ** BigInt(Math.abs(decimalScale));
  // All of it times 2^149 and the denominators: edge * 10^D, R, and 2^E.
  const edge = (BigInt(numerator) * (decimalScale >= 0 ? tens : 1n)) << BigInt(FLOAT32_FRACTION_BITS);
  const denominators = BigInt(denominator) * (decimalScale >= 0 ? 1n : tens);
  const missing = edge - toFixedPoint(reference) * denominators;
  const step = denominators << BigInt(FLOAT32_FRACTION_BITS + binaryScale);
  if (missing <= 0n) return 0;
  const code = (missing + step - 1n) / step;
  return code > BigInt(NO_CODE) ? NO_CODE : Number(code);
}

/** A 32-bit float times 2^149, exactly: a 64-bit float holds any product of a 32-bit one with that power of two. */
function toFixedPoint(float32: number): bigint {
  return BigInt(float32 * 2 ** FLOAT32_FRACTION_BITS);
}
