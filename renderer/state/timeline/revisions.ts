// The revisions of one event as the viewer holds them: numbered, in ascending publication sequence.
import type { MrmsHistory, MrmsHistoryFrame, MrmsLayer } from "../../../shared/contract/index.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import {
  findPinnedFrame,
  toPublications,
  type Publication,
  type RevisionChange,
} from "../../../shared/revisions/publication.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { ReadPhase } from "../reading/read-phase.ts";

export interface Revision {
  /** Publication sequence; without one from the service, the position in its list, from 1. */
  readonly sequence: number;
  /** Undefined if the service gives none; such a revision has no manifest to read. */
  readonly revisionId: string | undefined;
  readonly observedAt: string;
  readonly observedMs: number;
  /** Observation window. */
  readonly window: number;
  readonly layers: MrmsLayer[];
  /** Effect of its publication, if the service says it. */
  readonly change: RevisionChange | undefined;
}

/** A list of the contract, or a page of ours, which says more of each revision. */
export type RevisionList = Omit<MrmsHistory, "frames"> & {
  readonly frames: readonly (MrmsHistoryFrame & {
    readonly publishedAt?: string;
    readonly change?: RevisionChange;
  })[];
};

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
  /** True if the service has no revision older than those held. */
  readonly isWhole: boolean;
}

export const emptyHistory: HistoryState = {
  phase: "loading",
  problem: undefined,
  all: [],
  revisions: [],
  attribution: "",
  disclosure: "",
  latestSequence: undefined,
  isWhole: false,
};

export function toRevisions(history: Pick<RevisionList, "frames">): Revision[] {
  const numbered = history.frames.every((frame) => frame.sequence !== undefined);
  const revisions = history.frames.map((frame, index) => ({
    sequence: numbered ? frame.sequence! : index + 1,
    revisionId: frame.revisionId,
    observedAt: frame.observedAt,
    observedMs: Date.parse(frame.observedAt),
    window: observationWindow(frame.observedAt),
    layers: frame.layers.map(toPlacedLayer),
    change: frame.change,
  }));
  // Everything that searches the list relies on ascending sequences without duplicates.
  return revisions
    .sort((first, second) => first.sequence - second.sequence)
    .filter((revision, index, all) => revision.sequence !== all[index + 1]?.sequence);
}

/**
 * Adds the bounds to the address of the picture, in the part that no request sends. The bytes of a picture do not say
 * its bounds: one that only moved has the address of the earlier one, but is another frame.
 */
function toPlacedLayer(layer: MrmsLayer): MrmsLayer {
  return { ...layer, imageUrl: `${layer.imageUrl}#${layer.bounds.join(",")}` };
}

/** Returns the index of the first revision from this sequence on; the length of the list if there is none. */
export function indexFrom(revisions: readonly Revision[], sequence: number): number {
  let low = 0;
  let high = revisions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (revisions[middle]!.sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the revision with this sequence. */
export function findRevision(revisions: readonly Revision[], sequence: number): Revision | undefined {
  const revision = revisions[indexFrom(revisions, sequence)];
  return revision?.sequence === sequence ? revision : undefined;
}

/** Returns the index of the revision with this sequence, else of the next one published, else of the last. */
export function nearestIndex(revisions: readonly Revision[], sequence: number): number | undefined {
  if (revisions.length === 0) return undefined;
  return Math.min(indexFrom(revisions, sequence), revisions.length - 1);
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
