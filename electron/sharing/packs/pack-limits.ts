// How much of a pack from elsewhere is taken in. Everything is bounded before it is read: a pack may be made to hurt.

export interface PackLimits {
  readonly maxCommits: number;
  readonly maxRevisions: number;
  /** Files and folders in all. */
  readonly maxEntries: number;
  readonly maxTreeBytes: number;
  readonly maxJsonBytes: number;
  readonly maxFrameBytes: number;
  /** Of all files together, inflated. */
  readonly maxTotalBytes: number;
}

/** Twenty times a full day of two-minute windows; a frame as large as one that another service may send. */
export const packLimits: PackLimits = {
  maxCommits: 100_000,
  maxRevisions: 20_000,
  maxEntries: 150_000,
  maxTreeBytes: 32 << 20,
  maxJsonBytes: 1 << 20,
  maxFrameBytes: 128 << 20,
  maxTotalBytes: 64 * 2 ** 30,
};
