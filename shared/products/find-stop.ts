// The legend stop of a class.
import type { Product } from "./product.ts";

/** Returns the index of a class's legend stop. A class below the first stop, which our own products lack, takes it. */
export function findStop({ stops }: Product, edge: number): number {
  return Math.max(
    0,
    stops.findLastIndex(({ from }) => from <= edge),
  );
}
