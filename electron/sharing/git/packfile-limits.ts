// How much a pack may unpack to. Deltas name the size of their result before it is made, so a pack of a megabyte that means
// five gigabytes is known by its head.

export interface PackLimits {
  /** Bytes of the pack as sent. */
  readonly maxPackBytes: number;
  readonly maxObjects: number;
  /** Unpacked bytes of one object that is stored whole; Git streams it. */
  readonly maxObjectBytes: number;
  /** Unpacked bytes of one object that is stored as a delta; Git holds it and its base in memory. */
  readonly maxDeltaResultBytes: number;
  /** All objects together may unpack to this, plus `maxRatio` bytes for each byte received. */
  readonly allowanceBytes: number;
  readonly maxRatio: number;
}

/** Histories of large text projects stay below a ratio of 100; a bomb has thousands. */
export function packLimits(maxPackBytes: number): PackLimits {
  return {
    maxPackBytes,
    maxObjects: 10_000_000,
    maxObjectBytes: 2 ** 31,
    maxDeltaResultBytes: 2 ** 28,
    allowanceBytes: 2 ** 30,
    maxRatio: 200,
  };
}

/** A pack that is damaged or means too much. `message` goes to the person who pushed, behind "remote unpack failed:". */
export class PackRefused extends Error {
  override readonly name = "PackRefused";
}
