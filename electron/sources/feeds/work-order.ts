// In which order windows are dealt with: what is newer than all published ones first, then what is older in order of
// observation, a bounded number a turn, so that a newer window never waits behind an older one. Pure.

export interface TurnPlan {
  /** These go first, ascending. */
  readonly first: readonly number[];
  /** Then these, which are older than something published or than `first`, ascending. */
  readonly backfill: readonly number[];
  /** How many are left for later turns. */
  readonly left: number;
}

export interface TurnBounds {
  /** The newest published window; undefined when nothing is published. */
  readonly newestPublished: number | undefined;
  /** After an outage only the newest window goes first; else all new ones do, in order. */
  readonly isRecovering: boolean;
  readonly backfillLimit: number;
}

/** `windows` are the numbers of those that can be dealt with now, in any order, each once. */
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
