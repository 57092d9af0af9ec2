// The tasks of a render worker and the messages between it and its pool: a path in, a frame and its facts out.
import { createHash } from "node:crypto";
import type { Bounds, ProductId } from "../../../shared/contract/primitives.ts";
import { toMessageBytes } from "../grib2/message-bytes.ts";
import { renderFile } from "../raster/render-file.ts";
import type { PortableError } from "./source-error.ts";
import { readSource, type SourceFacts } from "./source-file.ts";

export interface IdentifiedSource extends SourceFacts {
  /** SHA-256 of the file's bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** SHA-256 of the GRIB2 message after gunzip, lower-case hexadecimal. */
  readonly messageSha256: string;
}

/** Facts of the rendered bytes, which may differ from the header that was read before. */
export interface RenderedSource extends IdentifiedSource {
  readonly productId: ProductId;
  readonly observedAt: string;
  readonly bounds: Bounds;
  readonly png: Uint8Array;
}

export interface RenderTask {
  readonly kind: "render" | "identify";
  readonly path: string;
}

/** A worker sends `ready` once, first, when its code is loaded. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: RenderedSource | IdentifiedSource }
  | { readonly kind: "failed"; readonly error: PortableError };

/** Reads the file and runs the task. @throws AppError `source-invalid`; errors of the disk */
export async function runTask({ kind, path }: RenderTask): Promise<RenderedSource | IdentifiedSource> {
  const { bytes, ...facts } = await readSource(path);
  if (kind === "identify") {
    const messageSha256 = createHash("sha256").update(toMessageBytes(bytes)).digest("hex");
    return { ...facts, messageSha256 };
  }
  const { header, product, messageSha256, frame } = await renderFile(bytes);
  return {
    ...facts,
    messageSha256,
    productId: product.id,
    observedAt: header.referenceAt,
    bounds: frame.bounds,
    png: frame.png,
  };
}
