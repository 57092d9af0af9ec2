// In which order windows are dealt with: one that is newer than all published ones first, then what is older in order of
// observation, a bounded number a turn, so that a newer window never waits behind a long backlog. Pure.

export interface TurnPlan {
  /** Goes first: the newest window, where it is newer than everything published. */
  readonly newest: number | undefined;
  /** Then these, ascending. */
  readonly backfill: readonly number[];
  /** How many are left for later turns. */
  readonly left: number;
}

export interface TurnBounds {
  /** The newest published window; `Infinity` when nothing was missed and all windows go in order. */
  readonly newestPublished: number | undefined;
  readonly backfillLimit: number;
}

/** `windows` are the numbers of those that can be dealt with now, in any order, each once. */
export function planTurn(
  windows: readonly number[],
  { newestPublished = -Infinity, backfillLimit }: TurnBounds,
): TurnPlan {
  const ascending = windows.toSorted((a, b) => a - b);
  const newest = (ascending.at(-1) ?? -Infinity) > newestPublished ? ascending.pop() : undefined;
  return {
    newest,
    backfill: ascending.slice(0, backfillLimit),
    left: Math.max(0, ascending.length - backfillLimit),
  };
}
