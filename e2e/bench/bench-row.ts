// One measured value and its peer, as the benchmarks print them.

export interface BenchRow {
  /** Number of the row in the design's speed table; 0 for a row outside it. */
  readonly row: number;
  readonly name: string;
  readonly metric: string;
  /** Null if nothing could be measured. */
  readonly ours: number | null;
  /** Null if the peer is not installed or the row has none. */
  readonly peer: number | null;
  readonly peerName: string;
  /** Factor by which ours is better; above 1 if it beats the peer. Null without a peer. */
  readonly ratio: number | null;
  readonly target: string;
  /** Null if the row has no target or nothing could be measured. */
  readonly met: boolean | null;
  readonly note?: string;
}

/**
 * Limit in MiB: far below the amount that passes through the host in these rows, so the host cannot buffer all of it.
 */
const mostGrowthMib = 64;

/** Returns a row for the growth of a host's memory, which has no peer. */
export function toGrowthRow(row: number, name: string, growthMib: number, note: string): BenchRow {
  return {
    ...{ row, name, metric: "MiB of growth" },
    ...{ ours: growthMib, peer: null, peerName: "-", ratio: null },
    ...{ target: `below ${mostGrowthMib}`, met: growthMib < mostGrowthMib, note },
  };
}
