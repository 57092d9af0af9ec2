// The order of work: windows newer than all published ones first, then a few older ones per turn, so that
// a newer window never waits for an older one.

export interface TurnPlan {
  /** Ascending. */
  readonly first: readonly number[];
  /** Older windows, ascending, after `first`. */
  readonly backfill: readonly number[];
  /** Number of windows left for later turns. */
  readonly left: number;
}

export interface TurnBounds {
  /** Newest published window; undefined if none. */
  readonly newestPublished: number | undefined;
  /** True after an outage: then only the newest window goes first, else all new ones. */
  readonly isRecovering: boolean;
  readonly backfillLimit: number;
}

/** `windows`: those with work to do now, in any order, each once. */
export function planTurn(
  windows: readonly number[],
  { newestPublished = -Infinity, isRecovering, backfillLimit }: TurnBounds,
): TurnPlan {
  const ascending = windows.toSorted((a, b) => a - b);
  const newer = ascending.filter((window) => window > newestPublished);
  const first = isRecovering ? newer.slice(-1) : newer;
  const others = ascending.filter((window) => !first.includes(window));
  return {
    first,
    backfill: others.slice(0, backfillLimit),
    left: Math.max(0, others.length - backfillLimit),
  };
}
