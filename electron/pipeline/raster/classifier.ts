// What each packed code of a file means for a product: its class index, and whether it lies inside radar coverage.
import type { Product } from "../../../shared/products/product.ts";
import type { Scaling } from "../grib2/field.ts";
import { toLeastCode } from "./codes-of-edges.ts";

export interface Classifier {
  /** Least code of each class, ascending; 2^32 where no code reaches it. Class k of the product has index k + 1. */
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

/** Class index of any code, 0 below the first class: what `table` holds, and codes beyond it too. */
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
