// Reads the header of a `.grib2` or `.grib2.gz` file from its first bytes, without what drawing needs.
import type { Product } from "../../../shared/products/product.ts";
import { findProductByIdentity } from "../../../shared/products/registry.ts";
import type { FieldHeader } from "../grib2/field.ts";
import { gunzipPrefix, isGzip } from "../grib2/gunzip.ts";
import { readHeader } from "../grib2/message.ts";

export interface PeekedFile {
  readonly header: FieldHeader;
  /** Undefined for a product that is not a layer. */
  readonly product: Product | undefined;
  /** Most bytes of memory that drawing takes, estimated: message, codes and the class of every cell. */
  readonly workBytes: number;
}

/** The number of first bytes that hold the header, compressed or not, after an extra field of gzip. */
export const PEEK_BYTES = 4096;

/**
 * Reads a file's header from its first `PEEK_BYTES` bytes, or from all of a shorter file.
 * @throws AppError `source-invalid` for damaged bytes
 */
export function peekFile(prefix: Uint8Array): PeekedFile {
  const header = readHeader(isGzip(prefix) ? gunzipPrefix(prefix, PEEK_BYTES) : prefix);
  const { identity, grid, decodeBytes, messageByteLength } = header;
  // A gzipped file is unpacked to twice its message at most, see `toMessageBytes`.
  const workBytes = 2 * messageByteLength + decodeBytes + grid.columns * grid.rows;
  return { header, product: findProductByIdentity(identity), workBytes };
}
