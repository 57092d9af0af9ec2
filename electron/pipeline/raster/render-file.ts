// The bytes of a `.grib2` or `.grib2.gz` file to a frame, and to its header alone: the two things that ingest asks for.
import { createHash } from "node:crypto";
import { AppError } from "../../../shared/app-error.ts";
import { findProductByIdentity } from "../../../shared/products/registry.ts";
import type { FieldHeader } from "../grib2/field.ts";
import { isGrib2Error } from "../grib2/grib2-error.ts";
import { gunzip, gunzipPrefix, isGzip } from "../grib2/gunzip.ts";
import { readHeader, readMessage } from "../grib2/message.ts";
import type { PeekedFile, RenderedFile, RenderFile } from "./rendered-frame.ts";
import { findParameterName } from "./mrms-parameters.ts";
import { renderFrame } from "./render-frame.ts";
import { createWorkBuffers } from "./work-buffers.ts";
import type { WorkBuffers } from "./work-buffers.ts";

/** So many first bytes of a file, packed or not, always hold the header. */
export const PEEK_BYTES = 4096;

/**
 * Renders a whole file. Calls take turns: each waits for the one before, as they share one set of work buffers.
 * Rejects with AppError `source-invalid`, whose detail is a sentence, for damaged bytes and for other products alike.
 */
export const renderFile: RenderFile = createFileRenderer();

/** A renderer with a turn and work buffers of its own, which it keeps from one file to the next. */
export function createFileRenderer(): RenderFile {
  const buffers = createWorkBuffers();
  let turn: Promise<unknown> = Promise.resolve();
  return (file) => {
    const rendered = turn.then(() => render(file, buffers));
    turn = rendered.catch(() => undefined);
    return rendered;
  };
}

async function render(file: Uint8Array, buffers: WorkBuffers): Promise<RenderedFile> {
  try {
    const bytes = isGzip(file) ? gunzip(file) : file;
    const message = readMessage(bytes);
    const { header } = message;
    const product = findProductByIdentity(header.identity);
    if (!product) throw notALayer(header);
    const messageSha256 = createHash("sha256").update(bytes).digest("hex");
    return { header, product, messageSha256, frame: await renderFrame(message, product, buffers) };
  } catch (error) {
    throw toAppError(error);
  }
}

/**
 * Reads a file's header from its first bytes, `PEEK_BYTES` of them or the whole file where that is shorter. `product` is
 * undefined for a product that is not drawn.
 * @throws AppError `source-invalid` as `renderFile` does
 */
export function peekFile(prefix: Uint8Array): PeekedFile {
  try {
    const header = readHeader(isGzip(prefix) ? gunzipPrefix(prefix, PEEK_BYTES) : prefix);
    return { header, product: findProductByIdentity(header.identity) };
  } catch (error) {
    throw toAppError(error);
  }
}

function notALayer({ identity }: FieldHeader): AppError {
  const { discipline, category, parameter } = identity;
  const numbers = `discipline ${discipline}, category ${category}, parameter ${parameter}`;
  const name = findParameterName(identity);
  return new AppError(
    "source-invalid",
    name
      ? `${name} (${numbers}) is not a layer of this viewer.`
      : `A product of ${numbers} is not a layer of this viewer.`,
    { context: { identity } },
  );
}

/** Makes of a Grib2Error the one that may leave this part; every other error is left as it is. */
function toAppError(error: unknown): unknown {
  if (!isGrib2Error(error)) return error;
  const { message, offset, section } = error;
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return new AppError("source-invalid", sentence, { cause: error, context: { offset, section } });
}
