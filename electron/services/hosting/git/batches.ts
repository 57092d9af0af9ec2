// Joins Git's output into larger pieces: Git writes 8 KiB at a time, and each separate piece costs an HTTP chunk and a
// system call. Batches cost a tenth of that.
import type { Readable } from "node:stream";
import { releaseMemory } from "../../../../shared/release-memory.ts";

const batchBytes = 128 * 1024;
/** Longer than a busy Git takes to fill a batch, too short to notice. */
const gatherMs = 2;

/** Must be the only reader of the stream. Ends with it, even if it is destroyed. */
export async function* inBatches(stream: Readable): AsyncGenerator<Buffer> {
  let batch: Buffer[] = [];
  let byteLength = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = stream.destroyed || stream.readableEnded;
  let wake = Promise.withResolvers<undefined>();
  const finish = (): void => {
    over = true;
    wake.resolve(undefined);
  };
  const take = (piece: Buffer): void => {
    batch.push(piece);
    byteLength += piece.length;
    if (byteLength >= batchBytes) {
      stream.pause();
      wake.resolve(undefined);
    } else
      timer ??= setTimeout(() => {
        wake.resolve(undefined);
      }, gatherMs);
  };
  stream.on("data", take).once("end", finish).once("close", finish).once("error", finish);
  try {
    while (!over || batch.length > 0) {
      if (!over) await wake.promise;
      clearTimeout(timer);
      const full = batch;
      batch = [];
      byteLength = 0;
      timer = undefined;
      wake = Promise.withResolvers();
      // Reads nothing while this batch is being sent, so that a slow client slows Git down.
      stream.pause();
      if (full.length > 0) yield join(full);
      stream.resume();
    }
  } finally {
    clearTimeout(timer);
    stream.off("data", take);
    stream.destroy();
  }
}

function join(pieces: readonly Buffer[]): Buffer {
  if (pieces.length === 1) return pieces[0]!;
  const joined = Buffer.concat(pieces);
  for (const piece of pieces) releaseMemory(piece);
  return joined;
}
