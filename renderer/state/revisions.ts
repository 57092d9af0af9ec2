// The revisions of one event as the viewer holds them: numbered, in ascending publication sequence.
import type { MrmsHistory, MrmsLayer } from "../../shared/contract/index.ts";
import { findPinnedFrame, toPublications, type Publication } from "../../shared/revisions/publication.ts";
import type { ApiErrorCode } from "../api/service-errors.ts";
import type { ReadPhase } from "./read-phase.ts";

export interface Revision {
  /** Publication sequence; without one from the service, the position in its list, from 1. */
  readonly sequence: number;
  /** Undefined if the service gives none; such a revision has no manifest to read. */
  readonly revisionId: string | undefined;
  readonly observedAt: string;
  readonly observedMs: number;
  readonly layers: MrmsLayer[];
}

export interface HistoryState {
  readonly phase: ReadPhase;
  readonly problem: ApiErrorCode | undefined;
  /** Every revision held, in ascending publication sequence. */
  readonly all: readonly Revision[];
  /** Those of `all` that were known at the chosen sequence: all of them now. The screen shows these. */
  readonly revisions: readonly Revision[];
  readonly attribution: string;
  readonly disclosure: string;
  /** Highest sequence of the event, even if not among `revisions`. */
  readonly latestSequence: number | undefined;
}

export const emptyHistory: HistoryState = {
  phase: "loading",
  problem: undefined,
  all: [],
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
  // Everything that searches the list relies on ascending sequences without duplicates.
  return revisions
    .sort((first, second) => first.sequence - second.sequence)
    .filter((revision, index, all) => revision.sequence !== all[index + 1]?.sequence);
}

/** Returns the index of the revision with this sequence, else of the next one published, else of the last. */
export function nearestIndex(revisions: readonly Revision[], sequence: number): number | undefined {
  if (revisions.length === 0) return undefined;
  const index = revisions.findIndex((revision) => revision.sequence >= sequence);
  return index < 0 ? revisions.length - 1 : index;
}

/** Caches one result per list; lists are replaced, never changed in place. */
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

/** Returns one publication per revision, in the same order. */
export const publicationsOf: (revisions: readonly Revision[]) => readonly Publication[] =
  perList(toPublications);

/** Returns the index of the newest observed window at its highest sequence. */
export const pinnedIndexOf = perList(findPinnedFrame);
