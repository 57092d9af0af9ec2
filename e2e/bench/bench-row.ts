// One measured figure against its peer, as the benchmarks print it.

export interface BenchRow {
  /** The row of the design's speed table. */
  readonly row: number;
  readonly name: string;
  readonly metric: string;
  /** Null when nothing could be measured. */
  readonly ours: number | null;
  /** Null when the peer is not installed, or when the row has none. */
  readonly peer: number | null;
  readonly peerName: string;
  /** How much better ours is; at least 1 is better than the peer. Null without a peer. */
  readonly ratio: number | null;
  readonly target: string;
  /** Null when it could not be told. */
  readonly met: boolean | null;
  readonly note?: string;
}

/** In MiB: far below what passes through a host in such rows, so that nothing can hold it whole. */
const mostGrowthMib = 64;

/** A row of what a host's memory grows by, which has no peer. */
export function toGrowthRow(row: number, name: string, growthMib: number, note: string): BenchRow {
  return {
    ...{ row, name, metric: "MiB of growth" },
    ...{ ours: growthMib, peer: null, peerName: "-", ratio: null },
    ...{ target: `below ${mostGrowthMib}`, met: growthMib < mostGrowthMib, note },
  };
}
