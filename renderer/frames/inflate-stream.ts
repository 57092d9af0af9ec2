// Inflates a zlib stream of known length piece by piece with the platform's decompressor. Holds the output of one
// piece at a time, and never returns more bytes than expected.
import { PngError } from "../../shared/png/png-error.ts";

/** Compressed bytes fed at a time. Deflate expands by at most 1,032, so a piece gives at most 8 MiB. */
const pieceBytes = 8192;

/**
 * Inflates `parts`, the pieces of one zlib stream, and passes each piece of the result to `take`, in order.
 * @throws PngError if the stream is damaged or does not give exactly `expectedBytes`
 */
export async function inflate(
  parts: readonly Uint8Array[],
  expectedBytes: number,
  take: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<void> {
  let received = 0;
  for await (const piece of inflatePieces(parts, signal)) {
    received += piece.length;
    if (received > expectedBytes) {
      throw new PngError(`the picture inflates to more than the ${expectedBytes} bytes it must have`, 0);
    }
    take(piece);
  }
  if (received !== expectedBytes) throw tooShort(expectedBytes, received);
}

/** Inflates no more than the first `neededBytes`, and does not read the rest. @throws PngError as `inflate` does */
export async function inflateStart(
  parts: readonly Uint8Array[],
  neededBytes: number,
  take: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<void> {
  let received = 0;
  for await (const piece of inflatePieces(parts, signal)) {
    take(piece.subarray(0, neededBytes - received));
    received += piece.length;
    if (received >= neededBytes) return;
  }
  throw tooShort(neededBytes, received);
}

function tooShort(expectedBytes: number, received: number): PngError {
  return new PngError(`the picture must inflate to ${expectedBytes} bytes but gives ${received}`, 0);
}

async function* inflatePieces(
  parts: readonly Uint8Array[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const stream = toStream(parts).pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await readPiece(reader);
      if (done) return;
      yield value;
    }
  } finally {
    // Canceling a stream that has failed rejects again with the error already thrown.
    reader.cancel().catch(() => undefined);
  }
}

/** Inflates into one array of `expectedBytes`. @throws PngError as `inflate` does */
export async function inflateAll(
  parts: readonly Uint8Array[],
  expectedBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Uint8Array(expectedBytes);
  let at = 0;
  await inflate(parts, expectedBytes, (piece) => {
    out.set(piece, at);
    at += piece.length;
  });
  return out;
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch (cause) {
    throw new PngError("the compressed picture is damaged", 0, { cause });
  }
}

/** Returns a stream that reads one piece of a few kilobytes per pull, so that little is unpacked ahead. */
export function toStream(parts: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  let part = 0;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      while (part < parts.length && at >= parts[part]!.length) {
        part += 1;
        at = 0;
      }
      const bytes = parts[part];
      if (!bytes) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}
