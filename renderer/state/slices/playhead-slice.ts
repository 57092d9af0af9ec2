// Which revision does the person want to see, and does the loop play?
import type { StateCreator } from "zustand";
import { findShownLoopEnds, toLoop, type Loop, type LoopSpan } from "../timeline/loop.ts";
import { inPlayOrder, toPlace, type PlayOrder } from "../timeline/play-order.ts";
import type { Speed } from "../timeline/playback.ts";
import {
  selectPinnedSequence,
  selectWantedSequence,
  untouchedPlayhead,
  type Playhead,
  type PlayheadView,
} from "../timeline/playhead.ts";
import { nearestIndex } from "../timeline/revisions.ts";

export interface PlayheadSlice {
  readonly playhead: Playhead;
  readonly speed: Speed;
  readonly loop: Loop;
  readonly playOrder: PlayOrder;
  /** Sequence that the last flip left; undefined after any other move. */
  readonly flippedFrom: number | undefined;
  /** True while playback waits for a picture. */
  readonly buffering: boolean;
  /** Shows the revision with this sequence, or the nearest one, and stops playing. */
  readonly goTo: (sequence: number) => void;
  /** Shows another version of the same window, from which `flippedFrom` leads back. */
  readonly flipTo: (sequence: number) => void;
  /** Steps by `count` revisions in playing order, or in `order`; stops at the ends. */
  readonly step: (count: number, order?: PlayOrder) => void;
  /** Shows the first or last revision in playing order, or in `order`. */
  readonly goToFirst: (order?: PlayOrder) => void;
  readonly goToLast: (order?: PlayOrder) => void;
  readonly pinNewest: () => void;
  readonly play: () => void;
  readonly pause: () => void;
  /** Takes a step of playback without pausing it. */
  readonly advance: (sequence: number) => void;
  readonly setBuffering: (buffering: boolean) => void;
  readonly setSpeed: (speed: Speed) => void;
  readonly setLoop: (loop: Loop) => void;
  readonly setPlayOrder: (order: PlayOrder) => void;
  /** Moves one end of the loop to the revision with this sequence, or the nearest one; the ends cannot cross. */
  readonly moveLoopEnd: (end: keyof LoopSpan, sequence: number) => void;
}

export const createPlayheadSlice: StateCreator<PlayheadSlice & PlayheadView, [], [], PlayheadSlice> = (
  set,
  get,
) => {
  function hold(sequence: number, playing: boolean): void {
    set(({ playhead, history }) => ({
      playhead: {
        mode: "held",
        sequence,
        knownLatest: playhead.mode === "held" ? playhead.knownLatest : (history.latestSequence ?? sequence),
        playing,
        movedAt: history.latestSequence ?? sequence,
      },
      flippedFrom: undefined,
      buffering: false,
    }));
  }

  function goTo(sequence: number): void {
    const { revisions } = get().history;
    const index = nearestIndex(revisions, sequence);
    if (index !== undefined) hold(revisions[index]!.sequence, false);
  }

  return {
    playhead: untouchedPlayhead,
    speed: 4,
    loop: "all",
    playOrder: "observed",
    flippedFrom: undefined,
    buffering: false,
    goTo,

    flipTo: (sequence) => {
      const flippedFrom = selectWantedSequence(get());
      goTo(sequence);
      set({ flippedFrom });
    },

    step: (count, order = get().playOrder) => {
      const wanted = selectWantedSequence(get());
      const { revisions } = get().history;
      if (wanted === undefined) return;
      const played = inPlayOrder(revisions, order);
      const place = toPlace(revisions, order, wanted);
      const index = played.findIndex(({ sequence }) => sequence === place) + count;
      const target = played[Math.min(Math.max(index, 0), played.length - 1)]!;
      // A step past the end changes nothing: a viewer that follows the newest window continues to.
      if (target.sequence !== wanted) goTo(target.sequence);
      else get().pause();
    },

    goToFirst: (order = get().playOrder) => {
      const first = inPlayOrder(get().history.revisions, order)[0];
      if (first) goTo(first.sequence);
    },

    goToLast: (order = get().playOrder) => {
      const last = inPlayOrder(get().history.revisions, order).at(-1);
      if (last) goTo(last.sequence);
    },

    pinNewest: () => {
      if (selectPinnedSequence(get()) !== undefined) set({ playhead: untouchedPlayhead, buffering: false });
    },

    play: () => {
      const wanted = selectWantedSequence(get());
      if (wanted !== undefined && get().history.revisions.length > 1) hold(wanted, true);
    },

    pause: () => {
      const { playhead } = get();
      if (playhead.mode === "held" && playhead.playing) hold(playhead.sequence, false);
    },

    advance: (sequence) => {
      hold(sequence, true);
    },

    setBuffering: (buffering) => {
      if (get().buffering !== buffering) set({ buffering });
    },

    setSpeed: (speed) => {
      set({ speed });
    },

    setLoop: (loop) => {
      set({ loop });
    },

    setPlayOrder: (playOrder) => {
      set({ playOrder });
    },

    moveLoopEnd: (end, sequence) => {
      const { revisions } = get().history;
      const span = findShownLoopEnds(get(), get().loop);
      const index = nearestIndex(revisions, sequence);
      if (!span || index === undefined) return;
      const moved = end === "first" ? Math.min(index, span.last - 1) : Math.max(index, span.first + 1);
      set({ loop: toLoop(revisions, { ...span, [end]: moved }) });
    },
  };
};
