// Memory that a renderer keeps from one file to the next, so that a worker does not allocate tens of megabytes a file.

export interface WorkBuffers {
  /** A buffer of exactly this length, holding anything. The next call hands out the same memory again. */
  readonly take: (length: number) => Uint8Array;
}

/** Enough for a grid of the whole country at 0.01 degrees; a larger buffer is not kept. */
const MAX_KEPT_BYTES = 1 << 25;

export function createWorkBuffers(): WorkBuffers {
  let kept = new Uint8Array(0);
  return {
    take: (length) => {
      if (kept.length >= length) return kept.subarray(0, length);
      const fresh = new Uint8Array(length);
      if (length <= MAX_KEPT_BYTES) kept = fresh;
      return fresh;
    },
  };
}
