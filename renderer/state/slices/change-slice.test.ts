import { describe, expect, test } from "vitest";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { selectChangePair, selectLaterVersion } from "../change/change-pair.ts";
import { selectWantedSequence } from "../timeline/playhead.ts";
import { toScene } from "../to-scene.ts";
import type { ViewerStore } from "../store.ts";

/** Windows at 0, 2, 4, 6 min; 4 corrects the second window, 6 corrects it again; 7 adds hail to the last. */
const corrected: readonly ExampleFrame[] = [
  { sequence: 1, minute: 0 },
  { sequence: 2, minute: 2 },
  { sequence: 3, minute: 4 },
  { sequence: 4, minute: 2, variant: "b" },
  { sequence: 5, minute: 6, only: "mrms-reflectivity" },
  { sequence: 6, minute: 2, variant: "c" },
  { sequence: 7, minute: 6 },
];

function pairOf(store: ViewerStore): (number | undefined)[] {
  const pair = selectChangePair(store.getState());
  return [pair?.before.sequence, pair?.after.sequence];
}

function arrive(store: ViewerStore, frames: readonly ExampleFrame[]): void {
  store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
}

describe("what changed", () => {
  test("compares a correction with the revision that it replaced", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(6);
    expect(store.getState().isComparing).toBe(true);
    expect(pairOf(store)).toEqual([4, 6]);
    store.getState().goTo(4);
    expect(pairOf(store)).toEqual([2, 4]);
    expect(selectLaterVersion(store.getState())?.sequence).toBe(6);
    store.getState().goTo(3);
    expect(selectChangePair(store.getState())).toBeUndefined();
  });

  test("compares a chosen pair while its later revision is shown", () => {
    const store = exampleStore(corrected);
    store.getState().goTo(6);
    store.getState().compareWith(2);
    expect(pairOf(store)).toEqual([2, 6]);
    store.getState().goTo(4);
    expect(pairOf(store)).toEqual([2, 4]);
    store.getState().goTo(6);
    expect(pairOf(store)).toEqual([2, 6]);
    store.getState().showChange(6);
    expect(pairOf(store)).toEqual([4, 6]);
  });

  test("shows the later of two revisions, and says if they are of two windows", () => {
    const store = exampleStore(corrected);
    store.getState().goTo(1);
    store.getState().compareWith(5);
    expect(pairOf(store)).toEqual([1, 5]);
    expect(selectWantedSequence(store.getState())).toBe(5);
    expect(selectChangePair(store.getState())?.isOneWindow).toBe(false);
  });

  test("prefers a visible layer that changed, and the person's choice before it", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(6);
    const shown = (): string | undefined => selectChangePair(store.getState())?.shown.id;
    expect(shown()).toBe("mrms-reflectivity");
    store.getState().setLayerVisible("mrms-reflectivity", false);
    expect(shown()).toBe("mrms-mesh");
    store.getState().setComparedLayer("mrms-reflectivity");
    expect(shown()).toBe("mrms-reflectivity");
  });

  test("has a layer of a completion that cannot be compared", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(7);
    const pair = selectChangePair(store.getState())!;
    expect(pair.layers.map(({ kind }) => kind)).toEqual(["unchanged", "added"]);
    expect(pair.shown.id).toBe("mrms-mesh");
    expect(toScene(store.getState()).swipe).toBeUndefined();
  });

  test("stays when a later correction arrives, even at the newest window", () => {
    const store = exampleStore(steadyFrames(3));
    arrive(store, [...steadyFrames(3), { sequence: 4, minute: 4, variant: "b" }]);
    store.getState().setComparing(true);
    const scene = toScene(store.getState());
    arrive(store, [
      ...steadyFrames(3),
      { sequence: 4, minute: 4, variant: "b" },
      { sequence: 5, minute: 4, variant: "c" },
    ]);
    expect(pairOf(store)).toEqual([3, 4]);
    expect(toScene(store.getState())).toMatchObject({ sequence: 4, overlays: scene.overlays });
    expect(selectLaterVersion(store.getState())?.sequence).toBe(5);
  });

  test("never compares what was not known", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(6);
    store.getState().setKnownAt(4);
    expect(pairOf(store)).toEqual([2, 4]);
    expect(selectLaterVersion(store.getState())).toBeUndefined();
    store.getState().setKnownAt(3);
    expect(selectChangePair(store.getState())).toBeUndefined();
  });

  test("ends with the event", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(6);
    store.getState().leaveEvent();
    expect(store.getState().isComparing).toBe(false);
  });
});

describe("the scene of what changed", () => {
  test("has the revision before at the left, and its changes over a gray storm at the right", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(4);
    store.getState().setSwipeAt(0.37);
    const scene = toScene(store.getState());
    expect(scene).toMatchObject({ sequence: 4, swipe: 0.37 });
    expect(scene.layers).toMatchObject([
      { id: "mrms-reflectivity", side: "right", coloring: { palette: "gray" } },
      { id: "mrms-mesh", side: "left", opacity: 0 },
    ]);
    expect(scene.overlays).toMatchObject([
      { id: "before mrms-reflectivity", side: "left", over: "mrms-reflectivity" },
      { id: "changes", side: "right", over: "mrms-reflectivity", coloring: { showFrom: undefined } },
      { id: "before mrms-mesh", side: "left", over: "mrms-mesh" },
    ]);
    expect(scene.overlays[1]!.frame.derived?.kind).toBe("difference");
  });

  test("shows one side whole, and the one before while its key is held", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(4);
    const { setComparedSide, setHoldsBefore } = store.getState();
    setComparedSide("after");
    expect(toScene(store.getState()).swipe).toBe(0);
    setHoldsBefore(true);
    expect(toScene(store.getState()).swipe).toBe(1);
    setHoldsBefore(false);
    setComparedSide("before");
    expect(toScene(store.getState()).swipe).toBe(1);
  });

  test("hides changes below the threshold of its layer", () => {
    const store = exampleStore(corrected);
    store.getState().showChange(4);
    store.getState().setChangeThreshold("mrms-reflectivity", 1);
    expect(toScene(store.getState()).overlays[1]!.coloring.showFrom).toBe(2.5);
  });
});
