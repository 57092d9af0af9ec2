// Known at S: the revisions of an event that were published up to one sequence, and the one that each observation
// window showed then. Decided by sequence; publication times only explain it. A revision carries every layer that its
// window has so far, so the highest revision of a window decides its layers. Lists are in ascending sequence.
import { windowOf } from "./observation-window.ts";

interface Numbered {
  readonly sequence: number;
}

interface Observed extends Numbered {
  readonly observedAt: string;
  readonly window?: number | undefined;
}

/** Returns the revisions up to `sequence`: the same list if it has no later one. Undefined stands for now. */
export function knownAt<R extends Numbered>(
  revisions: readonly R[],
  sequence: number | undefined,
): readonly R[] {
  const count = sequence === undefined ? revisions.length : countUpTo(revisions, sequence);
  return count === revisions.length ? revisions : revisions.slice(0, count);
}

/** Returns the newest revision up to `sequence`; undefined if all are later. */
export function newestUpTo<R extends Numbered>(revisions: readonly R[], sequence: number): R | undefined {
  return revisions[countUpTo(revisions, sequence) - 1];
}

function countUpTo(revisions: readonly Numbered[], sequence: number): number {
  let low = 0;
  let high = revisions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (revisions[middle]!.sequence <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maps each observation window to its highest revision. */
export function newestOfWindows<R extends Observed>(revisions: readonly R[]): ReadonlyMap<number, R> {
  return new Map(revisions.map((revision) => [windowOf(revision), revision]));
}

/** Returns the highest revision of each observation window, by ascending window. */
export function byWindow<R extends Observed>(revisions: readonly R[]): readonly R[] {
  const newest = [...newestOfWindows(revisions)];
  return newest.toSorted(([first], [second]) => first - second).map(([, revision]) => revision);
}
