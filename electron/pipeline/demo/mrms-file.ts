// The name and the gzip of a file in the MRMS feed.
import { gzipSync } from "node:zlib";
import type { Product } from "../../../shared/products/product.ts";
import { encodeGrib2, type MessageDraft } from "./grib2-writer.ts";

export interface MrmsFileDraft extends Omit<MessageDraft, "identity"> {
  readonly product: Product;
}

/** Returns a name like `MRMS_MESH_00.50_20260520-210039.grib2.gz`. */
export function mrmsFileName(product: Product, observedAt: string, ending = ".grib2.gz"): string {
  const stamp = new Date(observedAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return `MRMS_${product.fileStem}_00.50_${stamp}${ending}`;
}

/** Returns the bytes of a `.grib2.gz` file. The same draft always gives the same message. */
export function encodeMrmsFile({ product, ...draft }: MrmsFileDraft): Uint8Array {
  // The picture is deflated already.
  return gzipSync(encodeGrib2({ identity: product.grib, ...draft }), { level: 0 });
}
