// Inflates the picture of a PNG with node:zlib: exactly as many bytes as the header asks for, known before it begins.
import { createInflate, inflateSync } from "node:zlib";
import type { PngChunk } from "../../../shared/png/chunks.ts";
import { MAX_INFLATION } from "../../../shared/png/header.ts";
import { PngError } from "../../../shared/png/png-error.ts";

/** The deflated picture, all IDAT chunks joined. */
export interface DeflatedPicture {
  readonly bytes: Uint8Array;
  /** How many bytes must come out. */
  readonly inflatedByteLength: number;
  /** Where it starts in the PNG, for messages. */
  readonly offset: number;
}

/** Bytes of a piece: few enough for the processor's cache, many enough for a trip through the thread pool. */
const PIECE_BYTES = 1 << 18;

/**
 * `inflatedByteLength` is what the header asks for.
 * @throws PngError when there are no picture data, they are not contiguous, or too few for the picture
 */
export function joinPicture(chunks: readonly PngChunk[], inflatedByteLength: number): DeflatedPicture {
  const parts = chunks.filter((chunk) => chunk.type === "IDAT");
  if (parts.length === 0) throw new PngError("there is no picture data (IDAT)", chunks[0]!.offset);
  const first = chunks.indexOf(parts[0]!);
  const stray = parts.find((part, index) => chunks[first + index] !== part);
  if (stray) throw new PngError("picture data (IDAT) are not in one row of chunks", stray.offset);
  const { offset, content } = parts[0]!;
  const bytes = parts.length === 1 ? content : Buffer.concat(parts.map((part) => part.content));
  if (inflatedByteLength > bytes.length * MAX_INFLATION) {
    const text = `${bytes.length} bytes of picture data cannot inflate to the ${inflatedByteLength} bytes of the picture`;
    throw new PngError(text, offset);
  }
  return { bytes, inflatedByteLength, offset };
}

/** @throws PngError when the data are damaged, too short or too long */
export function inflatePicture(picture: DeflatedPicture): Uint8Array {
  const { bytes, inflatedByteLength } = picture;
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    // One chunk with room to spare: no copy at the end, and surplus output is noticed instead of allocated.
    // With `info`, node:zlib returns the engine too, which its types do not say.
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
 * Inflates in the thread pool and hands out the pieces, each valid during the call only.
 * @throws PngError as `inflatePicture` does, after pieces were handed out; what `take` throws passes through
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
      // Detaching frees the memory now; a garbage collection may come dozens of pieces later.
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

/** Says what zlib's errors mean for the picture; every other error is left as it is. */
function toPngError(error: unknown, picture: DeflatedPicture): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return error;
  if (error.code === "ERR_BUFFER_TOO_LARGE") return tooLong(picture, error);
  if (!error.code.startsWith("Z_")) return error;
  return new PngError(`the picture data cannot be inflated: ${error.message}`, picture.offset, {
    cause: error,
  });
}
