// A file as the MRMS feed delivers it: its name, and the gzip around its one message.
import { gzipSync } from "node:zlib";
import type { LatLonGrid } from "../../../shared/geo/grid.ts";
import type { Product } from "../../../shared/products/product.ts";
import { encodeGrib2 } from "./grib2-writer.ts";

export interface MrmsFileDraft {
  readonly product: Product;
  /** RFC 3339, UTC, whole seconds. */
  readonly observedAt: string;
  readonly grid: LatLonGrid;
  /** Tenths of the product's unit, flags among them; see `MessageDraft`. */
  readonly tenths: Int16Array;
}

/** For instance `MRMS_MESH_00.50_20260520-210039.grib2.gz`. */
export function mrmsFileName(product: Product, observedAt: string, ending = ".grib2.gz"): string {
  const stamp = new Date(observedAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return `MRMS_${product.fileStem}_00.50_${stamp}${ending}`;
}

/** The bytes of a `.grib2.gz` file. The same draft always gives the same message. */
export function encodeMrmsFile({ product, observedAt, grid, tenths }: MrmsFileDraft): Uint8Array {
  // The message is a deflated picture already: gzip only wraps it.
  return gzipSync(encodeGrib2({ identity: product.grib, observedAt, grid, tenths }), { level: 0 });
}
