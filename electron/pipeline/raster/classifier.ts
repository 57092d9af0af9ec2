// Maps the packed codes of a file to class indices and radar coverage, in exact integer arithmetic: 25.4 mm is one
// inch, at any scale of the file.
import type { Product } from "../../../shared/products/product.ts";
import type { Scaling } from "../grib2/field.ts";

export interface Classifier {
  /** Least code of each class, ascending; 2^32 if no code reaches it. Class k of the product has index k + 1. */
  readonly leastCodes: readonly number[];
  /** Least code inside radar coverage. */
  readonly leastCovered: number;
  /** Class index of each code below 65,536. */
  readonly table: Uint8Array;
}

const TABLE_LENGTH = 1 << 16;

export function createClassifier(product: Product, scaling: Scaling): Classifier {
  const leastCodes = product.edgeUnits.map((edge) =>
    toLeastCode({ numerator: edge, denominator: product.edgesPerUnit }, scaling),
  );
  const table = new Uint8Array(TABLE_LENGTH);
  leastCodes.forEach((least, index) => {
    if (least < TABLE_LENGTH) table.fill(index + 1, least);
  });
  const leastCovered = toLeastCode({ numerator: product.flags.missing, denominator: 1 }, scaling);
  return { leastCodes, leastCovered, table };
}

/** Returns the class index of any code, also one beyond `table`; 0 below the first class. */
export function findClassIndex({ leastCodes }: Classifier, code: number): number {
  let low = 0;
  let high = leastCodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (leastCodes[middle]! <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An edge in the product's unit, as a fraction of integers with a positive denominator. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** One more than the greatest code of 32 bits: no code reaches it. */
const NO_CODE = 2 ** 32;

/** Every 32-bit float is a multiple of 2^-149. */
const FLOAT32_FRACTION_BITS = 149;

/**
 * Returns the least code whose value is at or above an edge: 0 if every code is, 2^32 if none of 32 bits is.
 *
 * The value of code c is (R + c * 2^E) / 10^D, so c is at least (edge * 10^D - R) / 2^E. With a common power of two,
 * both are integers.
 */
export function toLeastCode({ numerator, denominator }: Fraction, scaling: Scaling): number {
  const { reference, binaryScale, decimalScale } = scaling;
  const tens = 10n ** BigInt(Math.abs(decimalScale));
  // Edge * 10^D, R and 2^E, each times 2^149 and the denominators.
  const edge = (BigInt(numerator) * (decimalScale >= 0 ? tens : 1n)) << BigInt(FLOAT32_FRACTION_BITS);
  const denominators = BigInt(denominator) * (decimalScale >= 0 ? 1n : tens);
  const missing = edge - toFixedPoint(reference) * denominators;
  const step = denominators << BigInt(FLOAT32_FRACTION_BITS + binaryScale);
  if (missing <= 0n) return 0;
  const code = (missing + step - 1n) / step;
  return code > BigInt(NO_CODE) ? NO_CODE : Number(code);
}

/** Returns a 32-bit float times 2^149, which a 64-bit float holds exactly. */
function toFixedPoint(float32: number): bigint {
  return BigInt(float32 * 2 ** FLOAT32_FRACTION_BITS);
}
