// How much of an event pack from elsewhere is read. Everything is bounded before it is read: a pack may be hostile.

export interface EventPackLimits {
  readonly maxCommits: number;
  readonly maxCommitBytes: number;
  readonly maxRevisions: number;
  /** Files and folders together. */
  readonly maxEntries: number;
  /** Bytes of one folder's object: a hundred thousand entries and more. */
  readonly maxTreeBytes: number;
  readonly maxJsonBytes: number;
  readonly maxFrameBytes: number;
  /** Bytes of all files together, inflated. */
  readonly maxTotalBytes: number;
}

/** Twenty times a full day of two-minute windows; a frame as large as another service may send. */
export const eventPackLimits: EventPackLimits = {
  maxCommits: 100_000,
  maxCommitBytes: 1 << 16,
  maxRevisions: 20_000,
  maxEntries: 150_000,
  maxTreeBytes: 32 << 20,
  maxJsonBytes: 1 << 20,
  maxFrameBytes: 128 << 20,
  maxTotalBytes: 64 * 2 ** 30,
};
