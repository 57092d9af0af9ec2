// Where a picture stands among the versions of its window: the latest of all, replaced since, or itself a correction.
import { observationWindow } from "../../shared/revisions/observation-window.ts";
import { newestOfWindow } from "./play-order.ts";
import { selectPinnedSequence } from "./playhead.ts";
import { publicationsOf, type Revision } from "./revisions.ts";
import { selectShownRevision, selectWantedRevision } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export interface Standing {
  /** The newest revision of the window, if it is another one. */
  readonly replacedBy: Revision | undefined;
  /** True if a layer of the picture was replaced since, and not only one added. */
  readonly isCorrectedLater: boolean;
  /** True for the newest revision of the newest window. */
  readonly isLatest: boolean;
  /** Corrections of the window up to this revision. */
  readonly corrections: number;
}

export function toStanding(state: ViewerState, revision: Revision): Standing {
  const { revisions } = state.history;
  const newest = newestOfWindow(revisions, revision);
  const corrections = correctionsOf(revisions, revision);
  return {
    replacedBy: newest === revision ? undefined : newest,
    isCorrectedLater: corrections.some(({ sequence }) => sequence > revision.sequence),
    isLatest: revision.sequence === selectPinnedSequence(state),
    corrections: corrections.filter(({ sequence }) => sequence <= revision.sequence).length,
  };
}

/** Returns the revisions that correct an earlier one of the same window. */
function correctionsOf(revisions: readonly Revision[], { observedAt }: Revision): Revision[] {
  const window = observationWindow(observedAt);
  const publications = publicationsOf(revisions);
  return revisions.filter(
    (other, index) =>
      publications[index]!.kind === "correction" && observationWindow(other.observedAt) === window,
  );
}

/** Returns the nearest correction published after (1) or before (-1) the wanted revision. */
export function selectNextCorrection(state: ViewerState, direction: 1 | -1): Revision | undefined {
  const { revisions } = state.history;
  const wanted = selectWantedRevision(state);
  const publications = publicationsOf(revisions);
  const isBeyond = (revision: Revision, index: number): boolean =>
    publications[index]!.kind === "correction" &&
    wanted !== undefined &&
    (revision.sequence - wanted.sequence) * direction > 0;
  return direction > 0 ? revisions.find(isBeyond) : revisions.findLast(isBeyond);
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
  const from = revisions.find(({ sequence }) => sequence === state.flippedFrom);
  if (from && from !== shown && newestOfWindow(revisions, from) === shown) return from;
  const { supersedes } = publicationsOf(revisions)[revisions.indexOf(shown)]!;
  return supersedes === undefined ? undefined : revisions[supersedes];
}
