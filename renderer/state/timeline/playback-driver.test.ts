import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { startPlayback } from "./playback-driver.ts";
import { selectWantedSequence } from "./playhead.ts";
import type { Revision } from "./revisions.ts";
import { selectWantedRevision } from "../selectors.ts";
import type { ViewerStore } from "../store.ts";

/** A page whose repaints come when the test says so. */
function createRepaints(): {
  onNextFrame: (callback: (timeMs: number) => void) => () => void;
  run: (timeMs: number) => void;
  waiting: () => boolean;
} {
  let next: ((timeMs: number) => void) | undefined;
  return {
    onNextFrame: (callback) => {
      next = callback;
      return () => {
        next = undefined;
      };
    },
    run: (timeMs) => {
      const callback = next;
      next = undefined;
      callback?.(timeMs);
    },
    waiting: () => next !== undefined,
  };
}

function createPlayingStore(): ViewerStore {
  const store = exampleStore(steadyFrames(3));
  store.getState().play();
  return store;
}

function makeReady(store: ViewerStore, ...sequences: readonly number[]): void {
  const { history, receiveFrameStates } = store.getState();
  const revisions = history.revisions.filter(({ sequence }) => sequences.includes(sequence));
  const layers = revisions.flatMap((revision) => revision.layers);
  receiveFrameStates(
    Object.fromEntries(layers.map(({ imageUrl }) => [imageUrl, { status: "ready" as const }])),
  );
}

function draw(store: ViewerStore, sequence: number): void {
  store.getState().receiveDrawn({ eventId: exampleEventId, sequence, layers: [], failed: [], overlays: {} });
}

describe("the playback driver", () => {
  test("steps only to pictures that are ready, and only from one that is drawn", () => {
    const store = createPlayingStore();
    const repaints = createRepaints();
    startPlayback(store, repaints);
    store.getState().setSpeed(1);
    repaints.run(0);
    repaints.run(2_000);
    expect(selectWantedSequence(store.getState())).toBe(3);
    draw(store, 3);
    repaints.run(2_100);
    expect(selectWantedSequence(store.getState())).toBe(3);
    expect(store.getState().buffering).toBe(false);
    repaints.run(3_000);
    expect(store.getState().buffering).toBe(true);
    makeReady(store, 1);
    repaints.run(3_100);
    expect(selectWantedSequence(store.getState())).toBe(1);
    expect(store.getState().buffering).toBe(false);
  });

  test("does not take another event's picture for its own", () => {
    const store = createPlayingStore();
    const repaints = createRepaints();
    startPlayback(store, repaints);
    makeReady(store, 1);
    store.getState().receiveDrawn({ eventId: "texas", sequence: 3, layers: [], failed: [], overlays: {} });
    repaints.run(0);
    repaints.run(5_000);
    expect(selectWantedSequence(store.getState())).toBe(3);
  });

  test("requests no repaints while nothing plays", () => {
    const store = createPlayingStore();
    const repaints = createRepaints();
    startPlayback(store, repaints);
    store.getState().pause();
    repaints.run(0);
    store.getState().tick(1);
    expect(repaints.waiting()).toBe(false);
    store.getState().play();
    expect(repaints.waiting()).toBe(true);
  });

  test("ends for good", () => {
    const store = createPlayingStore();
    const repaints = createRepaints();
    const stop = startPlayback(store, repaints);
    store.getState().tick(1);
    expect(repaints.waiting()).toBe(true);
    stop();
    expect(repaints.waiting()).toBe(false);
    store.getState().tick(2);
    expect(repaints.waiting()).toBe(false);
  });

  /** Twenty windows of which sixteen are corrected, and four arrive late, at any time in any order. */
  const troubledDay = fc.tuple(shuffled(20), shuffled(20)).map(([windows, lateOrder]): ExampleFrame[] => {
    const late = new Set(windows.slice(0, 4));
    const onTime = windows.filter((window) => !late.has(window)).sort((first, second) => first - second);
    return [...onTime, ...lateOrder].map((window, index) => ({
      sequence: index + 1,
      minute: window * 2,
      variant: `v${index}`,
    }));
  });

  function shuffled(count: number): fc.Arbitrary<number[]> {
    const all = Array.from({ length: count }, (_, index) => index);
    return fc.shuffledSubarray(all, { minLength: count });
  }

  /** Plays in steps of 100 ms with every picture ready; calls `onStep` with the revision shown at each. */
  function playThrough(store: ViewerStore, onStep: (shown: Revision) => "go on" | "stop"): void {
    const repaints = createRepaints();
    const end = startPlayback(store, repaints);
    store.getState().setSpeed(15);
    store.getState().goToFirst();
    store.getState().play();
    for (let timeMs = 0; timeMs < 60_000; timeMs += 100) {
      const shown = selectWantedRevision(store.getState())!;
      if (onStep(shown) === "stop") break;
      makeReady(store, ...store.getState().history.revisions.map(({ sequence }) => sequence));
      draw(store, shown.sequence);
      repaints.run(timeMs);
    }
    end();
  }

  test("never shows a decreasing observed time while revisions arrive", () => {
    fc.assert(
      fc.property(troubledDay, (frames) => {
        const store = exampleStore(frames.slice(0, 10));
        let held = 10;
        let passes = 0;
        let beforeMs = -Infinity;
        playThrough(store, ({ observedMs }) => {
          if (observedMs < beforeMs) {
            passes += 1;
            const { revisions } = store.getState().history;
            // Only the beginning of the loop comes after a later time.
            expect(observedMs).toBe(Math.min(...revisions.map((revision) => revision.observedMs)));
          }
          beforeMs = observedMs;
          if (held < frames.length) held += 1;
          store.getState().receiveHistory(exampleEventId, exampleHistory(frames.slice(0, held)));
          return passes < 2 ? "go on" : "stop";
        });
        expect(held).toBe(frames.length);
        expect(passes).toBe(2);
      }),
      { seed: 13, numRuns: 10 },
    );
  });

  test("shows exactly the sequence as published", () => {
    fc.assert(
      fc.property(troubledDay, (frames) => {
        const store = exampleStore(frames);
        store.getState().setPlayOrder("published");
        const shown: number[] = [];
        playThrough(store, ({ sequence }) => {
          if (shown.at(-1) !== sequence) shown.push(sequence);
          return shown.length < frames.length ? "go on" : "stop";
        });
        expect(shown).toEqual(frames.map(({ sequence }) => sequence));
      }),
      { seed: 13, numRuns: 5 },
    );
  });
});
