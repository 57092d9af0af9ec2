// A frame: one field of one product as an indexed PNG in Web Mercator, and what is known of it without decoding.
import type { Bounds } from "../../../shared/contract/primitives.ts";
import type { Product } from "../../../shared/products/product.ts";
import type { FieldHeader } from "../grib2/field.ts";

export interface Frame {
  /** The whole file. The same field gives the same bytes, always. */
  readonly png: Uint8Array;
  /** SHA-256 of `png`, 64 lower-case hexadecimal digits. */
  readonly frameId: string;
  /** Exact outer edges of the picture, `[west, south, east, north]` in degrees. */
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Grid cells (not pixels) that have a class. 0 for a frame of one transparent pixel over the whole grid. */
  readonly drawnCells: number;
  /** Highest class index drawn, 0 when nothing is. Class k of the product has index k + 1. */
  readonly maxClass: number;
}

/** What `renderFile` makes of a GRIB2 file. */
export interface RenderedFile {
  readonly header: FieldHeader;
  readonly product: Product;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hexadecimal. */
  readonly messageSha256: string;
  readonly frame: Frame;
}

/** What `peekFile` finds in the first bytes of a GRIB2 file. */
export interface PeekedFile {
  readonly header: FieldHeader;
  /** Undefined for a product that is not drawn. */
  readonly product: Product | undefined;
}

/** `renderFile`, and what `createFileRenderer` makes (render-file.ts). */
export type RenderFile = (file: Uint8Array) => Promise<RenderedFile>;
