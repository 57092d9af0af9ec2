// Plays the loop: before each repaint, takes the step that playback.ts decides.
import type { ViewerEffects } from "../../platform/page-effects.ts";
import { noticeableWaitMs } from "../../platform/viewer-limits.ts";
import { decidePlayback, type PlaybackFacts } from "./playback.ts";
import { revisionState, type Readiness } from "./readiness.ts";
import type { Revision } from "./revisions.ts";
import { selectDrawn } from "../selectors.ts";
import { loopOrder } from "./loop.ts";
import { toPlace } from "./play-order.ts";
import { selectWantedSequence } from "./playhead.ts";
import { findRevision } from "./revisions.ts";
import type { ViewerState, ViewerStore } from "../store.ts";

/** Other pictures that step together with the one that plays. */
export interface Companions {
  /** Returns true if each shows what it should, or cannot. */
  readonly areDrawn: () => boolean;
  /** Returns "loading" while any of them cannot draw what it shows when the lead shows `revision`. */
  readonly readinessFor: (revision: Revision) => Readiness;
}

const alone: Companions = { areDrawn: () => true, readinessFor: () => "ready" };

function toFacts(
  state: ViewerState,
  companions: Companions,
  current: number,
  shownMs: number,
): PlaybackFacts {
  const { revisions } = state.history;
  return {
    order: loopOrder(revisions, state.loop, state.playOrder),
    current,
    place: toPlace(revisions, state.playOrder, current) ?? current,
    drawn: companions.areDrawn() ? selectDrawn(state)?.sequence : undefined,
    shownMs,
    speed: state.speed,
    stateOf: (sequence) => {
      const revision = findRevision(revisions, sequence);
      const own = revision ? revisionState(state, revision) : "failed";
      return revision && own === "ready" ? companions.readinessFor(revision) : own;
    },
  };
}

/** Drives the playhead while it plays. Returns a function that ends it for good. */
export function startPlayback(
  store: ViewerStore,
  effects: Pick<ViewerEffects, "onNextFrame">,
  companions: Companions = alone,
): () => void {
  let cancel: (() => void) | undefined;
  let current: number | undefined;
  let currentSinceMs = 0;
  let waitingSinceMs: number | undefined;

  function isPlaying(): boolean {
    const { playhead } = store.getState();
    return playhead.mode === "held" && playhead.playing;
  }

  function look(timeMs: number): void {
    cancel = undefined;
    const state = store.getState();
    const wanted = selectWantedSequence(state);
    if (!isPlaying() || wanted === undefined) {
      current = undefined;
      return;
    }
    if (wanted !== current) {
      current = wanted;
      currentSinceMs = timeMs;
    }
    const decision = decidePlayback(toFacts(state, companions, wanted, timeMs - currentSinceMs));
    waitingSinceMs = decision.kind === "buffer" ? (waitingSinceMs ?? timeMs) : undefined;
    state.setBuffering(waitingSinceMs !== undefined && timeMs - waitingSinceMs > noticeableWaitMs);
    if (decision.kind === "advance") state.advance(decision.to);
    if (decision.kind === "stop") state.pause();
    schedule();
  }

  function schedule(): void {
    if (cancel === undefined && isPlaying()) cancel = effects.onNextFrame(look);
  }

  const unsubscribe = store.subscribe(schedule);
  return () => {
    unsubscribe();
    cancel?.();
  };
}
