// What a GRIB2 message says: its header, and its field as packed codes. Turning codes into values is `to-value.ts`.
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { GribIdentity } from "../../../shared/products/product.ts";

/** How a code stands for a value: value = (reference + code * 2^binaryScale) / 10^decimalScale. */
export interface Scaling {
  /** A 32-bit float of the file, exact. */
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
  /** Originating centre and sub-centre, by their numbers. */
  readonly centre: number;
  readonly subcentre: number;
  /** The reference time, which for an observation is when it was observed: `2024-02-28T02:52:39Z`. */
  readonly referenceAt: string;
  readonly grid: LatLonGrid;
  readonly packing: Packing;
  /** Length of the whole message as its first section says. */
  readonly messageByteLength: number;
}

/** One packed code a cell, row-major, north row first, west column first. The narrowest array that holds the codes. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

export interface Field extends FieldHeader {
  /** rows * columns codes; 0 where `missing` says that there is none. */
  readonly codes: Codes;
  /** One byte a cell in the order of `codes`, 1 where the file gives no value; undefined when every cell has one. */
  readonly missing: Uint8Array | undefined;
}
