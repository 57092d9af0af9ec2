// The content of a GRIB2 message: its header and its field of packed codes.
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { GribIdentity } from "../../../shared/products/product.ts";

/** The scale of codes: value = (reference + code * 2^binaryScale) / 10^decimalScale (regulation 92.9.4). */
export interface Scaling {
  /** Exactly the 32-bit float of the file. */
  readonly reference: number;
  readonly binaryScale: number;
  readonly decimalScale: number;
}

export interface Packing extends Scaling {
  /** Number of the data representation template: 0, 2, 3 or 41. */
  readonly template: number;
  readonly bitsPerValue: number;
}

export interface FieldHeader {
  readonly identity: GribIdentity;
  /** Numbers of the originating center and subcenter. */
  readonly center: number;
  readonly subcenter: number;
  /** The reference time, which is the observation time: `2024-02-28T02:52:39Z`. */
  readonly referenceAt: string;
  readonly grid: LatLonGrid;
  readonly packing: Packing;
  /** Length of the whole message according to section 0. */
  readonly messageByteLength: number;
  /** Most bytes of memory that decoding takes besides the message, estimated. */
  readonly decodeBytes: number;
}

/** One packed code for each cell, row-major, north row first, in the narrowest array that holds the codes. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/** The packed values of a message in the order of the file, without cells that a bitmap leaves out. */
export interface PackedValues {
  /** The most bits of a code. */
  readonly bits: number;
  /** True if codes may stand for "no value". */
  readonly hasMissing: boolean;
  /** Fills both arrays with the next values; `missing` with 1 for "no value" and 0 otherwise. @throws Grib2Error */
  readonly read: (codes: Codes, missing: Uint8Array | undefined) => void;
}

export interface Field extends FieldHeader {
  /** rows * columns codes; 0 for missing cells. */
  readonly codes: Codes;
  /** One byte for each cell in the order of `codes`, 1 if it has no value; undefined if every cell has one. */
  readonly missing: Uint8Array | undefined;
}
