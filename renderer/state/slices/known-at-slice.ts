// As of which publication does the person look? Not kept over a restart.
import type { StateCreator } from "zustand";
import { knownAt, newestUpTo } from "../../../shared/revisions/known-at.ts";
import type { PlayheadView } from "../timeline/playhead.ts";

export interface KnownAtSlice {
  /** Sequence after which nothing is known; undefined now, when everything held is known. */
  readonly knownAt: number | undefined;
  /**
   * Hides every revision published after this sequence, or after the nearest one before it. The newest sequence held is
   * now.
   */
  readonly setKnownAt: (sequence: number) => void;
  readonly backToNow: () => void;
  /** Looks as of now from now on: what is published later stays hidden. */
  readonly freeze: () => void;
}

export const createKnownAtSlice: StateCreator<
  KnownAtSlice & Pick<PlayheadView, "history">,
  [],
  [],
  KnownAtSlice
> = (set, get) => {
  function lookAt(sequence: number | undefined): void {
    if (sequence === get().knownAt) return;
    set(({ history }) => ({
      knownAt: sequence,
      history: { ...history, revisions: knownAt(history.all, sequence) },
    }));
  }

  return {
    knownAt: undefined,

    setKnownAt: (sequence) => {
      const { all } = get().history;
      const chosen = newestUpTo(all, sequence) ?? all[0];
      lookAt(chosen === all.at(-1) ? undefined : chosen?.sequence);
    },

    backToNow: () => {
      lookAt(undefined);
    },

    freeze: () => {
      const { knownAt: earlier, history } = get();
      lookAt(earlier ?? history.all.at(-1)?.sequence);
    },
  };
};
