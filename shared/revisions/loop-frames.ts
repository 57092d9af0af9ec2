// The frames of a saved loop: its revisions in playing order, and a frame for observation windows that are missing
// between two of them.
import { windowMs, windowOf } from "./observation-window.ts";

/** Neighboring windows without a revision, in milliseconds since the Unix epoch; `toMs` is the end of the last one. */
export interface LoopGap {
  readonly fromMs: number;
  readonly toMs: number;
}

export type LoopFrame<R> = { readonly revision: R } | { readonly gap: LoopGap };

interface Played {
  readonly sequence: number;
  readonly observedAt: string;
  readonly window?: number | undefined;
}

/**
 * Adds the gaps to the revisions of a loop. A window is missing if it lies between two neighbors that follow each other
 * in time, and none of the `known` revisions shows it that were published by the later neighbor. A step back in time,
 * such as to a late correction, is not a gap.
 */
export function toLoopFrames<R extends Played>(
  played: readonly R[],
  known: readonly Played[],
): readonly LoopFrame<R>[] {
  const firstSequences = new Map<number, number>();
  for (const revision of known) {
    const window = windowOf(revision);
    firstSequences.set(window, Math.min(revision.sequence, firstSequences.get(window) ?? Infinity));
  }
  return played.flatMap((revision, index): LoopFrame<R>[] => {
    const before = played[index - 1];
    const gaps = before ? findGaps(before, revision, firstSequences) : [];
    return [...gaps.map((gap) => ({ gap })), { revision }];
  });
}

function findGaps(
  before: Played,
  after: Played,
  firstSequences: ReadonlyMap<number, number>,
): readonly LoopGap[] {
  const sequence = Math.max(before.sequence, after.sequence);
  const [from, to] = [windowOf(before), windowOf(after)];
  if (to <= from + 1) return [];
  const between = [...firstSequences]
    .filter(([window, first]) => window > from && window < to && first <= sequence)
    .map(([window]) => window);
  const present = [from, ...between.sort((first, second) => first - second), to];
  return present.slice(1).flatMap((window, index) => {
    const last = present[index]!;
    return window > last + 1 ? [{ fromMs: (last + 1) * windowMs, toMs: window * windowMs }] : [];
  });
}
