// Inflates the picture of a PNG with node:zlib, to exactly the number of bytes that its header requires.
import { createInflate, inflateSync } from "node:zlib";
import type { PngChunk } from "../../../shared/png/chunks.ts";
import { MAX_INFLATION } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";

/** The deflated picture: all IDAT chunks joined. */
export interface DeflatedPicture {
  readonly bytes: Uint8Array;
  /** Required inflated length in bytes. */
  readonly inflatedByteLength: number;
  /** Offset in the PNG, for messages. */
  readonly offset: number;
}

/** Bytes per piece: few enough for the processor's cache, enough for a trip through the thread pool. */
const PIECE_BYTES = 1 << 18;

/**
 * Joins the IDAT chunks. `inflatedByteLength` follows from the header.
 * @throws PngError if the picture data are missing, not contiguous, or too short for the picture
 */
export function joinPicture(chunks: readonly PngChunk[], inflatedByteLength: number): DeflatedPicture {
  const parts = chunks.filter((chunk) => chunk.type === "IDAT");
  if (parts.length === 0) throw new PngError("there is no picture data (IDAT)", chunks[0]!.offset);
  const first = chunks.indexOf(parts[0]!);
  const stray = parts.find((part, index) => chunks[first + index] !== part);
  if (stray) throw new PngError("picture data (IDAT) are not contiguous", stray.offset);
  const { offset, content } = parts[0]!;
  const bytes = parts.length === 1 ? content : Buffer.concat(parts.map((part) => part.content));
  if (inflatedByteLength > bytes.length * MAX_INFLATION) {
    const text = `${bytes.length} bytes of picture data cannot inflate to the ${inflatedByteLength} bytes of the picture`;
    throw new PngError(text, offset);
  }
  return { bytes, inflatedByteLength, offset };
}

/** @throws PngError if the data are damaged, too short or too long */
export function inflatePicture(picture: DeflatedPicture): Uint8Array {
  const { bytes, inflatedByteLength } = picture;
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    // One chunk with spare room avoids a copy at the end, and detects surplus output without allocating it.
    // With `info`, node:zlib also returns the engine, which its types omit.
    result = inflateSync(bytes, {
      chunkSize: inflatedByteLength + 64,
      maxOutputLength: inflatedByteLength,
      info: true,
    }) as unknown as typeof result;
  } catch (error) {
    throw toPngError(error, picture);
  }
  checkLengths(picture, result.buffer.length, result.engine.bytesWritten);
  return result.buffer;
}

/**
 * Inflates in the thread pool and passes each piece to `take`; a piece is valid only during the call.
 * @throws PngError as `inflatePicture` does, perhaps after some pieces; errors of `take`
 */
export async function inflatePieces(
  picture: DeflatedPicture,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const engine = createInflate({ chunkSize: PIECE_BYTES });
  let inflated = 0;
  engine.end(picture.bytes);
  try {
    for await (const piece of engine as AsyncIterable<Uint8Array>) {
      inflated += piece.length;
      if (inflated > picture.inflatedByteLength) throw tooLong(picture);
      take(piece);
      // Detaching frees the memory at once; garbage collection may come dozens of pieces later.
      if (piece.length === PIECE_BYTES) (piece.buffer as ArrayBuffer).transfer(0);
    }
  } catch (error) {
    throw toPngError(error, picture);
  }
  checkLengths(picture, inflated, engine.bytesWritten);
}

function checkLengths(
  { bytes, inflatedByteLength, offset }: DeflatedPicture,
  inflated: number,
  consumed: number,
): void {
  if (inflated !== inflatedByteLength) {
    throw new PngError(
      `the picture must inflate to ${inflatedByteLength} bytes but gives ${inflated}`,
      offset,
    );
  }
  if (consumed !== bytes.length) {
    throw new PngError(`${bytes.length - consumed} bytes follow the end of the picture data`, offset);
  }
}

function tooLong({ inflatedByteLength, offset }: DeflatedPicture, cause?: unknown): PngError {
  const text = `the picture data inflate to more than the ${inflatedByteLength} bytes of the picture`;
  return new PngError(text, offset, { cause });
}

/** Converts an error of zlib to a PngError; passes other errors through. */
function toPngError(error: unknown, picture: DeflatedPicture): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return error;
  if (error.code === "ERR_BUFFER_TOO_LARGE") return tooLong(picture, error);
  if (!error.code.startsWith("Z_")) return error;
  return new PngError(`the picture data cannot be inflated: ${error.message}`, picture.offset, {
    cause: error,
  });
}
