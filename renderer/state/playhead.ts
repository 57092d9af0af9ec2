// The playhead: whether the picture follows the newest window or stays, and which revision that is.
import { nearestIndex, pinnedIndexOf, type HistoryState } from "./revisions.ts";

export type Playhead =
  /** The picture follows the newest observation window. */
  | { readonly mode: "pinned" }
  /** The person has moved: the picture stays. `knownLatest` is the highest sequence there was when they did. */
  | {
      readonly mode: "held";
      readonly sequence: number;
      readonly knownLatest: number;
      readonly playing: boolean;
    };

export const untouchedPlayhead: Playhead = { mode: "pinned" };

/** What the sequence under the playhead follows from. */
export interface PlayheadView {
  readonly playhead: Playhead;
  readonly history: HistoryState;
}

/** The newest observed window at its highest sequence: what an untouched viewer shows. */
export function selectPinnedSequence(state: PlayheadView): number | undefined {
  const index = pinnedIndexOf(state.history.revisions);
  return index === undefined ? undefined : state.history.revisions[index]?.sequence;
}

/** The sequence that the person wants to see, or follows. */
export function selectWantedSequence(state: PlayheadView): number | undefined {
  const { playhead, history } = state;
  if (playhead.mode === "pinned") return selectPinnedSequence(state);
  const index = nearestIndex(history.revisions, playhead.sequence);
  return index === undefined ? undefined : history.revisions[index]!.sequence;
}
