// How many revisions go into one pack: as many as make some 32 MiB, told from what those before them took.

const aimBytes = 2 ** 25;
const mostRevisions = 256;

export interface BatchSize {
  /** At least 1. */
  next(): number;
  received(revisions: number, byteLength: number): void;
  /** The link broke: less is lost of a smaller one. */
  lost(): void;
}

export function createBatchSize(): BatchSize {
  let size = 1;
  return {
    next: () => size,
    received(revisions, byteLength) {
      const fitting = Math.floor(aimBytes / Math.max(1, byteLength / revisions));
      // Revisions differ: what one took does not promise what the next hundred will.
      size = Math.max(1, Math.min(fitting, size * 4, mostRevisions));
    },
    lost() {
      size = Math.max(1, Math.floor(size / 2));
    },
  };
}
