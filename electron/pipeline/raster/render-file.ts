// Renders the bytes of a `.grib2` or `.grib2.gz` file as a frame.
import { createHash } from "node:crypto";
import { findProductByIdentity } from "../../../shared/products/registry.ts";
import type { Product } from "../../../shared/products/product.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import type { FieldHeader } from "../grib2/field.ts";
import { toMessageBytes } from "../grib2/message-bytes.ts";
import { readMessage } from "../grib2/message.ts";
import { notALayer } from "./mrms-parameters.ts";
import { renderFrame, type Frame } from "./render-frame.ts";
import { createWorkBuffers } from "./work-buffers.ts";

export interface RenderedFile {
  readonly header: FieldHeader;
  readonly product: Product;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hexadecimal. */
  readonly messageSha256: string;
  readonly frame: Frame;
}

/** Rejects with AppError `source-invalid` for damaged bytes and for a product that is not a layer. */
export type RenderFile = (file: Uint8Array) => Promise<RenderedFile>;

/** Renders a whole file. Calls share one set of work buffers, so they run one after another. */
export const renderFile: RenderFile = createFileRenderer();

/** Creates a renderer that keeps its work buffers from one file to the next and renders one file at a time. */
export function createFileRenderer(): RenderFile {
  const buffers = createWorkBuffers();
  const mutex = createMutex();
  return (file) =>
    mutex(async () => {
      const bytes = toMessageBytes(file);
      const message = readMessage(bytes);
      const { header } = message;
      const product = findProductByIdentity(header.identity);
      if (!product) throw notALayer(header.identity);
      const messageSha256 = createHash("sha256").update(bytes).digest("hex");
      return { header, product, messageSha256, frame: await renderFrame(message, product, buffers) };
    });
}
