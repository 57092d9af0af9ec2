import { describe, expect, test } from "vitest";
import { byWindow, knownAt } from "../../../shared/revisions/known-at.ts";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { inPlayOrder } from "../timeline/play-order.ts";
import { selectWantedSequence } from "../timeline/playhead.ts";
import { selectIsPast } from "../selectors.ts";
import type { ViewerStore } from "../store.ts";

/** Windows at 0, 2, 4, 6 min; revision 4 corrects the second, 6 corrects it again. */
const corrected: readonly ExampleFrame[] = [
  { sequence: 1, minute: 0 },
  { sequence: 2, minute: 2 },
  { sequence: 3, minute: 4 },
  { sequence: 4, minute: 2, variant: "b" },
  { sequence: 5, minute: 6 },
  { sequence: 6, minute: 2, variant: "c" },
];

function wanted(store: ViewerStore): number | undefined {
  return selectWantedSequence(store.getState());
}

function known(store: ViewerStore): number[] {
  return store.getState().history.revisions.map(({ sequence }) => sequence);
}

function arrive(store: ViewerStore, frames: readonly ExampleFrame[]): void {
  store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
}

describe("as known at a sequence", () => {
  test("the viewer holds all revisions and shows those up to it", () => {
    const store = exampleStore(corrected);
    store.getState().setKnownAt(3);
    expect(known(store)).toEqual([1, 2, 3]);
    expect(store.getState().history.all).toHaveLength(6);
    expect(selectIsPast(store.getState())).toBe(true);
    store.getState().backToNow();
    expect(store.getState().history.revisions).toBe(store.getState().history.all);
  });

  test("a sequence between publications is the one before, and the newest one is now", () => {
    const store = exampleStore([...steadyFrames(3), { sequence: 7, minute: 8 }]);
    store.getState().setKnownAt(6);
    expect(store.getState().knownAt).toBe(3);
    store.getState().setKnownAt(0);
    expect(store.getState().knownAt).toBe(1);
    store.getState().setKnownAt(99);
    expect(store.getState().knownAt).toBeUndefined();
  });

  test("a viewer that follows shows the newest window known then, and follows again afterwards", () => {
    const store = exampleStore(corrected);
    store.getState().setKnownAt(4);
    expect(wanted(store)).toBe(3);
    arrive(store, [...corrected, { sequence: 7, minute: 8 }]);
    expect(wanted(store)).toBe(3);
    expect(known(store)).toEqual([1, 2, 3, 4]);
    store.getState().backToNow();
    expect(wanted(store)).toBe(7);
  });

  test("a chosen picture stays while it is known, else its window's newest known one stands in", () => {
    const store = exampleStore(corrected);
    store.getState().goTo(6);
    const seen = [5, 4, 3, 1, 5].map((sequence) => {
      store.getState().setKnownAt(sequence);
      return wanted(store);
    });
    expect(seen).toEqual([4, 4, 2, 1, 4]);
    store.getState().backToNow();
    expect(wanted(store)).toBe(6);
  });

  test("steps and both ends stay among what was known", () => {
    const store = exampleStore(corrected);
    store.getState().setKnownAt(3);
    store.getState().goToLast();
    expect(wanted(store)).toBe(3);
    store.getState().step(-1);
    expect(wanted(store)).toBe(2);
    store.getState().goTo(6);
    expect(wanted(store)).toBe(3);
  });

  test("another event is shown as known now", () => {
    const store = exampleStore(corrected);
    store.getState().setKnownAt(3);
    store.getState().chooseEvent("kansas");
    expect(store.getState().knownAt).toBeUndefined();
  });

  test("at the newest sequence it is what the timeline shows now", () => {
    const store = exampleStore(corrected);
    const { all } = store.getState().history;
    expect(byWindow(knownAt(all, 6))).toEqual(inPlayOrder(all, "observed"));
  });
});
