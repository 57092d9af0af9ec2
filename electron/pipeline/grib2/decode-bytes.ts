// Estimates the memory that decoding a field takes, from its header alone.
import type { Packing } from "./field.ts";
import { COMPLEX_PACKING, DIFFERENCING_PACKING, PNG_PACKING } from "./representation.ts";

export interface FieldShape {
  readonly cells: number;
  readonly packing: Packing;
  /** True if the file's lines are columns. */
  readonly columnsFirst: boolean;
  readonly hasBitmap: boolean;
}

/**
 * Returns the most bytes that decoding takes besides the message and a few lines. Rows are decoded one by one. Columns
 * are collected to a plane, and a picture with a bitmap is unpacked as a whole.
 */
export function estimateDecodeBytes({ cells, packing, columnsFirst, hasBitmap }: FieldShape): number {
  const { template, bitsPerValue } = packing;
  const sampleBytes = Math.ceil(bitsPerValue / 8);
  const isComplex = template === COMPLEX_PACKING || template === DIFFERENCING_PACKING;
  const codeBytes = isComplex || sampleBytes > 2 ? 4 : sampleBytes;
  const isWholePicture = template === PNG_PACKING && (hasBitmap || columnsFirst);
  const pictureBytes = isWholePicture ? sampleBytes : 0;
  const valueBytes = isWholePicture && hasBitmap ? codeBytes : 0;
  const planeBytes = columnsFirst ? codeBytes + (isComplex || hasBitmap ? 1 : 0) : 0;
  return cells * (pictureBytes + valueBytes + planeBytes);
}
