// The playhead: follows the newest window or stays at a revision.
import { knownAt as toKnown } from "../../../shared/revisions/known-at.ts";
import { findNewestOfWindow } from "./play-order.ts";
import { nearestIndex, pinnedIndexOf, type HistoryState, type Revision } from "./revisions.ts";

export type Playhead =
  /** The picture follows the newest observation window. */
  | { readonly mode: "pinned" }
  /** The person has moved, and the picture stays. `knownLatest` is the highest sequence at that time. */
  | {
      readonly mode: "held";
      readonly sequence: number;
      readonly knownLatest: number;
      readonly playing: boolean;
      /** Highest sequence when the playhead was last moved, started or stopped. */
      readonly movedAt: number;
    };

export const untouchedPlayhead: Playhead = { mode: "pinned" };

export function isPlaying({ playhead }: { readonly playhead: Playhead }): boolean {
  return playhead.mode === "held" && playhead.playing;
}

/** The state that determines the sequence under the playhead. */
export interface PlayheadView {
  readonly playhead: Playhead;
  readonly history: HistoryState;
}

/** Returns the newest observed window at its highest sequence, which an untouched viewer shows. */
export function selectPinnedSequence(state: PlayheadView): number | undefined {
  const index = pinnedIndexOf(state.history.revisions);
  return index === undefined ? undefined : state.history.revisions[index]?.sequence;
}

/**
 * Returns the sequence that the person chose or follows. For a revision that is not known at the chosen sequence, the
 * newest known one of its window stands in, else the newest known window.
 */
export function selectWantedSequence(state: PlayheadView): number | undefined {
  const { playhead, history } = state;
  if (playhead.mode === "pinned") return selectPinnedSequence(state);
  if (history.revisions !== history.all && playhead.sequence > (history.revisions.at(-1)?.sequence ?? 0)) {
    const held = history.all[nearestIndex(history.all, playhead.sequence)!]!;
    return findNewestOfWindow(history.revisions, held)?.sequence ?? selectPinnedSequence(state);
  }
  const index = nearestIndex(history.revisions, playhead.sequence);
  return index === undefined ? undefined : history.revisions[index]!.sequence;
}

/** Returns the revisions known when a resting playhead was last moved: the minutes of the loop end with them. */
export function toRestingList({ playhead, history: { revisions } }: PlayheadView): readonly Revision[] {
  const isResting = playhead.mode === "held" && !playhead.playing;
  const list = isResting ? toKnown(revisions, playhead.movedAt) : revisions;
  return list.length > 0 ? list : revisions;
}
