// A class on the wire: its lower and its upper edge in the layer's unit, null for the open one.
import type { ClassRange } from "../../../shared/analysis/cell-frame.ts";

export type ClassPair = readonly [lower: number, upper: number | null];

export function toClassPair({ lower, upper }: ClassRange): ClassPair {
  return [lower, upper ?? null];
}
