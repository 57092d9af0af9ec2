import { describe, expect, test } from "vitest";
import { exampleEventId, exampleStore, steadyFrames } from "../support/example-data.ts";
import { startPlayback } from "./playback-driver.ts";
import { selectWantedSequence } from "./playhead.ts";
import type { ViewerStore } from "./store.ts";

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

function makeReady(store: ViewerStore, sequence: number): void {
  const revision = store.getState().history.revisions.find((candidate) => candidate.sequence === sequence)!;
  store
    .getState()
    .receiveFrameStates(
      Object.fromEntries(revision.layers.map((layer) => [layer.imageUrl, { status: "ready" as const }])),
    );
}

function draw(store: ViewerStore, sequence: number): void {
  store.getState().receiveDrawn({ eventId: exampleEventId, sequence, layers: [], failed: [] });
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
    store.getState().receiveDrawn({ eventId: "texas", sequence: 3, layers: [], failed: [] });
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
});
