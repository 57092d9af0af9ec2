// A frame: one field of one product as an indexed PNG in Web Mercator, and what is known of it without decoding.
import type { Bounds } from "../../shared/contract/primitives.ts";
import type { Product } from "../../shared/products/product.ts";
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

/**
 * The signature of `renderFile` (render-file.ts): the bytes of a `.grib2` or `.grib2.gz` file to a frame, in one
 * synchronous call meant for a worker thread. Not re-entrant: it keeps its work buffers for the next file.
 * @throws AppError `source-invalid` whose detail is a sentence, for damaged bytes and for other products alike
 */
export type RenderFile = (file: Uint8Array) => RenderedFile;

/**
 * The signature of `peekFile` (peek-file.ts): the header of a `.grib2` or `.grib2.gz` file from its first bytes; the
 * first `PEEK_BYTES` (4,096) are always enough. `product` is undefined for a product that is not drawn.
 * @throws AppError `source-invalid` as `renderFile` does
 */
export type PeekFile = (prefix: Uint8Array) => { header: FieldHeader; product: Product | undefined };
