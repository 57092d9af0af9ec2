// How much a packfile may unpack to. A delta names the size of its result up front, so a megabyte that stands for five
// gigabytes is detected from its header.

export interface PackfileLimits {
  /** Length of the packfile in bytes. */
  readonly maxPackBytes: number;
  readonly maxObjects: number;
  /** Inflated bytes of an object stored whole; Git streams it. */
  readonly maxObjectBytes: number;
  /** Bytes of an object stored as a delta; Git holds it and its base in memory. */
  readonly maxDeltaResultBytes: number;
  /** All objects together may unpack to this, plus `maxRatio` bytes for each byte received. */
  readonly allowanceBytes: number;
  readonly maxRatio: number;
}

/** Returns the limits of a push. Histories of large text projects stay below a ratio of 100; a bomb has thousands. */
export function pushedPackfileLimits(maxPackBytes: number): PackfileLimits {
  return {
    maxPackBytes,
    maxObjects: 10_000_000,
    maxObjectBytes: 2 ** 31,
    maxDeltaResultBytes: 2 ** 28,
    allowanceBytes: 2 ** 30,
    maxRatio: 200,
  };
}

/** Returns the limits of one batch of a fetch. Frames and folders of an event pack are far below. */
export function fetchedPackfileLimits(maxPackBytes: number): PackfileLimits {
  return {
    maxPackBytes,
    maxObjects: 1_000_000,
    maxObjectBytes: 2 ** 26,
    maxDeltaResultBytes: 2 ** 26,
    allowanceBytes: 2 ** 29,
    maxRatio: 50,
  };
}

/** The most bytes of an index that is read into memory. */
export const mostIndexBytes = 2 ** 28;
/** The longest chain of deltas: as long as any version of Git makes. */
export const mostDeltaDepth = 250;

/** Reasons that the scanner gives in several places. */
export const packFaults = {
  cut: "pack ends before its last object",
  damaged: "pack is damaged",
  tooLarge: "pack holds an object that is larger than an object may be",
} as const;

/** A damaged or oversized packfile. `message` goes to the person who pushed, behind "remote unpack failed:". */
export class PackRefused extends Error {
  override readonly name = "PackRefused";
}
