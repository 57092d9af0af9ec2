// The revisions of one event as the viewer works with them: each with a number, in ascending publication sequence.
import type { MrmsHistory, MrmsLayer } from "../../shared/contract/index.ts";

export interface Revision {
  /** Publication sequence; where the service gives none, the place in its list, counted from 1. */
  readonly sequence: number;
  /** Undefined where the service gives none: such a revision has no manifest to read. */
  readonly revisionId: string | undefined;
  readonly observedAt: string;
  readonly observedMs: number;
  readonly layers: MrmsLayer[];
}

export function toRevisions(history: Pick<MrmsHistory, "frames">): Revision[] {
  const numbered = history.frames.every((frame) => frame.sequence !== undefined);
  const revisions = history.frames.map((frame, index) => ({
    sequence: numbered ? frame.sequence! : index + 1,
    revisionId: frame.revisionId,
    observedAt: frame.observedAt,
    observedMs: Date.parse(frame.observedAt),
    layers: frame.layers,
  }));
  // The contract promises ascending sequences without repetition; everything that searches the list leans on it.
  return revisions
    .sort((first, second) => first.sequence - second.sequence)
    .filter((revision, index, all) => revision.sequence !== all[index + 1]?.sequence);
}

/** Index of the revision with this sequence, else of the nearest one published after it, else of the last. */
export function nearestIndex(revisions: readonly Revision[], sequence: number): number | undefined {
  if (revisions.length === 0) return undefined;
  const index = revisions.findIndex((revision) => revision.sequence >= sequence);
  return index < 0 ? revisions.length - 1 : index;
}
