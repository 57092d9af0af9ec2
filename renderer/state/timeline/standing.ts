// Where a picture stands among the versions of its window: the latest of all, replaced since, or itself a correction.
import { newestOfWindow } from "./play-order.ts";
import { selectPinnedSequence } from "./playhead.ts";
import { findRevision, indexFrom, perList, publicationsOf, type Revision } from "./revisions.ts";
import { selectShownRevision, selectWantedRevision } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

export interface Standing {
  /** The newest revision of the window, if it is another one. */
  readonly replacedBy: Revision | undefined;
  /** True if a layer of the picture was replaced since, and not only one added. */
  readonly isCorrectedLater: boolean;
  /** True for the newest revision of the newest window. */
  readonly isLatest: boolean;
  /** True as known at an earlier publication: nothing is said about later ones. */
  readonly isThen: boolean;
  /** Corrections of the window up to this revision. */
  readonly corrections: number;
}

export function toStanding(state: ViewerState, revision: Revision): Standing {
  const { revisions } = state.history;
  const newest = newestOfWindow(revisions, revision);
  const corrections = correctionsOf(revisions).filter(({ window }) => window === revision.window);
  return {
    replacedBy: newest === revision ? undefined : newest,
    isCorrectedLater: corrections.some(({ sequence }) => sequence > revision.sequence),
    isLatest: revision.sequence === selectPinnedSequence(state),
    isThen: state.knownAt !== undefined,
    corrections: corrections.filter(({ sequence }) => sequence <= revision.sequence).length,
  };
}

/** Revisions that correct an earlier one of the same window, ascending. */
const correctionsOf = perList((revisions): readonly Revision[] => {
  const publications = publicationsOf(revisions);
  return revisions.filter((_, index) => publications[index]!.kind === "correction");
});

/** Returns the nearest correction published after (1) or before (-1) the wanted revision. */
export function selectNextCorrection(state: ViewerState, direction: 1 | -1): Revision | undefined {
  const wanted = selectWantedRevision(state);
  if (!wanted) return undefined;
  const corrections = correctionsOf(state.history.revisions);
  const after = indexFrom(corrections, wanted.sequence + 1);
  return corrections[direction > 0 ? after : indexFrom(corrections, wanted.sequence) - 1];
}

/**
 * Returns the other version of the picture on screen, which one key flips to: the newest of a replaced one, else the
 * one that it replaces, or the one that the last flip came from. Undefined if the window has one version.
 */
export function selectOtherVersion(state: ViewerState): Revision | undefined {
  const { revisions } = state.history;
  const shown = selectWantedRevision(state) ?? selectShownRevision(state);
  if (!shown) return undefined;
  const newest = newestOfWindow(revisions, shown);
  if (newest !== shown) return newest;
  const from = state.flippedFrom === undefined ? undefined : findRevision(revisions, state.flippedFrom);
  if (from && from !== shown && newestOfWindow(revisions, from) === shown) return from;
  const { supersedes } = publicationsOf(revisions)[indexFrom(revisions, shown.sequence)]!;
  return supersedes === undefined ? undefined : revisions[supersedes];
}
