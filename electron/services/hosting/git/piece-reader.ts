// The pieces of a stream as they come, each as soon as somebody asks. The stream's own iterator joins what has piled up, and
// what it has joined is memory that the collector has to find: a third of the processor's time of a push.
import type { Readable } from "node:stream";

/** So much may wait for the one who asks; then the stream is held up. */
const aheadBytes = 256 * 1024;

/**
 * Reads from the first call on, and leaves a stream that nobody asks for alone. Gives undefined at the end.
 * @throws from the call: what the stream breaks with, once the pieces before it were taken
 */
export function readPieces(stream: Readable): () => Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let waitingBytes = 0;
  let end: { readonly error?: Error } | undefined;
  let wake: (() => void) | undefined;
  let begun = false;

  function settle(error?: Error): void {
    end ??= error === undefined ? {} : { error };
    wake?.();
  }

  function begin(): void {
    begun = true;
    if (stream.readableEnded) settle();
    else if (stream.destroyed) settle(stream.errored ?? goneAway());
    stream
      .on("data", (piece: Buffer) => {
        pieces.push(piece);
        waitingBytes += piece.length;
        if (waitingBytes >= aheadBytes) stream.pause();
        wake?.();
      })
      .on("error", settle)
      .once("end", () => {
        settle();
      })
      .once("close", () => {
        settle(goneAway());
      });
  }

  return async () => {
    if (!begun) begin();
    while (pieces.length === 0 && end === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const piece = pieces.shift();
    if (piece !== undefined) {
      waitingBytes -= piece.length;
      if (waitingBytes < aheadBytes / 2 && stream.isPaused()) stream.resume();
    } else if (end?.error !== undefined) throw end.error;
    return piece;
  };
}

function goneAway(): Error {
  return new Error("The client went away.");
}
