// The revisions of one event as the viewer works with them: each with a number, in ascending publication sequence.
import type { MrmsHistory, MrmsLayer } from "../../shared/contract/index.ts";
import { findPinnedFrame, toPublications, type Publication } from "../../shared/revisions/publication.ts";
import type { ApiErrorCode } from "../api/service-errors.ts";
import type { ReadPhase } from "./read-phase.ts";

export interface Revision {
  /** Publication sequence; where the service gives none, the place in its list, counted from 1. */
  readonly sequence: number;
  /** Undefined where the service gives none: such a revision has no manifest to read. */
  readonly revisionId: string | undefined;
  readonly observedAt: string;
  readonly observedMs: number;
  readonly layers: MrmsLayer[];
}

export interface HistoryState {
  readonly phase: ReadPhase;
  readonly problem: ApiErrorCode | undefined;
  /** Ascending publication sequence; the newest part of what the event has. */
  readonly revisions: readonly Revision[];
  readonly attribution: string;
  readonly disclosure: string;
  /** The highest sequence that the event has, held here or not. */
  readonly latestSequence: number | undefined;
}

export const emptyHistory: HistoryState = {
  phase: "loading",
  problem: undefined,
  revisions: [],
  attribution: "",
  disclosure: "",
  latestSequence: undefined,
};

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

/** Remembers the last answer per list, for lists that are never changed in place. */
export function perList<T>(
  derive: (revisions: readonly Revision[]) => T,
): (revisions: readonly Revision[]) => T {
  const known = new WeakMap<readonly Revision[], { readonly value: T }>();
  return (revisions) => {
    let entry = known.get(revisions);
    if (!entry) {
      entry = { value: derive(revisions) };
      known.set(revisions, entry);
    }
    return entry.value;
  };
}

/** One publication a revision, in the same order. */
export const publicationsOf: (revisions: readonly Revision[]) => readonly Publication[] =
  perList(toPublications);

/** Index of the newest observed window at its highest sequence. */
export const pinnedIndexOf = perList(findPinnedFrame);
