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
