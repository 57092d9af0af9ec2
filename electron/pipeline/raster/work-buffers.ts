// Memory that a renderer keeps from one file to the next, instead of allocating tens of megabytes for each.
import { findRunEnd } from "../../../shared/png/word-runs.ts";

export interface WorkBuffers {
  /** Returns this many bytes, all 0. The next call returns the same memory again. */
  readonly take: (length: number) => Uint8Array;
}

/** Enough for the CONUS grid at 0.01 degrees; a larger buffer is not kept. */
const MAX_KEPT_BYTES = 1 << 25;

export function createWorkBuffers(): WorkBuffers {
  let kept = new Int32Array(0);
  return {
    take: (length) => {
      if (kept.byteLength < length) {
        const fresh = new Int32Array(Math.ceil(length / 4));
        if (length <= MAX_KEPT_BYTES) kept = fresh;
        return new Uint8Array(fresh.buffer, 0, length);
      }
      clear(kept);
      return new Uint8Array(kept.buffer, 0, length);
    },
  };
}

/** Clears without writing zeros over zeros: pages that were never written take no memory. */
function clear(words: Int32Array): void {
  for (let at = findRunEnd(words, 0, 0); at < words.length; at = findRunEnd(words, at + 1, 0)) words[at] = 0;
}
