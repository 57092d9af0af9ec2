import { describe, expect, test } from "vitest";
import { exampleHistory, exampleStore, exampleEventId, steadyFrames } from "../../support/example-data.ts";
import {
  selectDrawnSoFar,
  selectIsSoFarTooLong,
  selectSoFar,
  selectSoFarAhead,
  selectSoFarArrivals,
  soFarOverlay,
} from "./so-far.ts";
import { toAudit, type SoFar } from "./so-far-windows.ts";
import type { ViewerStore } from "../store.ts";

function soFarOf(store: ViewerStore): SoFar {
  return selectSoFar(store.getState())!;
}

function urlsOf(store: ViewerStore): string[] {
  return soFarOf(store).frames.map(({ imageUrl }) =>
    new URL(imageUrl, "http://a").pathname.split("/").at(-1)!,
  );
}

function createStore(frames = steadyFrames(4)): ViewerStore {
  const store = exampleStore(frames);
  store.getState().toggleSoFar();
  return store;
}

const file = (minute: number, variant = "a"): string => `20220704T${1100 + minute}00000Z-${variant}.png`;

describe("the largest so far", () => {
  test("is nothing until it is turned on", () => {
    expect(selectSoFar(exampleStore(steadyFrames(4)).getState())).toBeUndefined();
  });

  test("has the windows from the loop's start to the playhead, and grows and shrinks with it", () => {
    const store = createStore();
    expect(urlsOf(store)).toEqual([file(0), file(2), file(4), file(6)]);
    store.getState().step(-2);
    expect(urlsOf(store)).toEqual([file(0), file(2)]);
    store.getState().step(1);
    expect(urlsOf(store)).toEqual([file(0), file(2), file(4)]);
    store.getState().setLoop({ first: 2, last: undefined });
    expect(urlsOf(store)).toEqual([file(2), file(4)]);
  });

  test("is not made of windows too many to tell, until the loop is shorter", () => {
    const later = [0, 2].map((minute, index) => ({ sequence: index + 3, minute: 60 * 24 * 365 + minute }));
    const store = createStore([...steadyFrames(2), ...later]);
    expect(selectSoFar(store.getState())).toBeUndefined();
    expect(selectIsSoFarTooLong(store.getState())).toBe(true);
    store.getState().setLoop({ first: 3, last: undefined });
    expect(soFarOf(store).frames).toHaveLength(2);
    expect(selectIsSoFarTooLong(store.getState())).toBe(false);
  });

  test("keeps its start while a resting loop of minutes moves on, says so, and takes the new one with a step", () => {
    const store = createStore(steadyFrames(31));
    store.getState().setLoop(30);
    store.getState().goTo(31);
    const before = soFarOf(store);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(33)));
    const { fromMs, frames, laterStartMs } = soFarOf(store);
    expect(fromMs).toBe(before.fromMs);
    expect(frames).toEqual(before.frames);
    expect(laterStartMs! - fromMs).toBe(4 * 60_000);
    store.getState().step(-1);
    expect(soFarOf(store)).toMatchObject({ fromMs: laterStartMs, laterStartMs: undefined });
  });

  test("has the playhead's window only while it stands before the loop", () => {
    const store = createStore();
    store.getState().setLoop({ first: 3, last: undefined });
    store.getState().goTo(1);
    expect(urlsOf(store)).toEqual([file(0)]);
  });

  test("takes the newest revision of each window, wherever the playhead came from", () => {
    const store = createStore([...steadyFrames(3), { sequence: 4, minute: 0, variant: "b" }]);
    expect(urlsOf(store)).toEqual([file(0, "b"), file(2), file(4)]);
    // A replaced revision under the playhead stands for its window.
    store.getState().goTo(1);
    expect(urlsOf(store)).toEqual([file(0, "b")]);
  });

  test("has nothing that was published after the chosen sequence", () => {
    const store = createStore([...steadyFrames(3), { sequence: 4, minute: 0, variant: "b" }]);
    store.getState().setKnownAt(2);
    expect(urlsOf(store)).toEqual([file(0), file(2)]);
    expect(soFarOf(store).knownAt).toBe(2);
  });

  test("is of the other layer when that is chosen", () => {
    const store = createStore();
    store.getState().setSoFarProduct("mrms-reflectivity");
    expect(soFarOf(store).frames[0]!.imageUrl).toContain("mrms-reflectivity");
  });
});

test("each pane keeps its own while another one is asked", () => {
  const store = createStore();
  const other = createStore(steadyFrames(3));
  const first = soFarOf(store);
  soFarOf(other);
  expect(soFarOf(store)).toBe(first);
});

test("the swaths ahead of a pane that follows are those that the lock shows next", () => {
  const store = createStore();
  store.setState({ lockedSoon: [2] });
  expect(selectSoFarAhead(store.getState()).map((ahead) => ahead?.frames.length)).toEqual([2]);
  store.setState({ lockedSoon: [1] });
  expect(selectSoFarAhead(store.getState()).map((ahead) => ahead?.frames.length)).toEqual([1]);
});

test("two lists with one picture are told apart: the wanted one is described", () => {
  const store = createStore([
    { sequence: 1, minute: 0 },
    { sequence: 2, minute: 2, only: "mrms-reflectivity" },
  ]);
  const key = soFarOf(store).picture!.imageUrl;
  store.getState().receiveDrawn({
    ...{ eventId: exampleEventId, sequence: 2, layers: [], failed: [] },
    overlays: { [soFarOverlay]: key },
  });
  store.getState().goTo(1);
  store.getState().learnSoFar(key, { soFar: soFarOf(store), read: 1, grown: 0, facts: undefined });
  store.getState().goTo(2);
  expect(selectDrawnSoFar(store.getState())!.soFar.windows).toHaveLength(2);
});

describe("the windows of the largest so far", () => {
  const withGaps = [
    { sequence: 1, minute: 0 },
    { sequence: 2, minute: 4 },
    { sequence: 3, minute: 6, only: "mrms-reflectivity" },
    { sequence: 4, minute: 8 },
  ] as const;

  test("are counted, and the missing ones have a cause", () => {
    const store = createStore([...withGaps]);
    expect(toAudit({ soFar: soFarOf(store), facts: undefined })).toEqual({
      windows: 5,
      used: 3,
      missing: [
        { observedAt: "2022-07-04T11:02:00Z", why: "not-published" },
        { observedAt: "2022-07-04T11:06:00.000Z", why: "not-delivered" },
      ],
    });
  });

  test("are missing too if their frame failed or is on another grid", () => {
    const store = createStore([...withGaps]);
    const facts = {
      parts: ["used", "failed", "another-grid"],
      classes: [],
      lines: [],
      storm: undefined,
    } as const;
    expect(toAudit({ soFar: soFarOf(store), facts }).missing).toEqual([
      { observedAt: "2022-07-04T11:02:00Z", why: "not-published" },
      { observedAt: "2022-07-04T11:04:00.000Z", why: "failed" },
      { observedAt: "2022-07-04T11:06:00.000Z", why: "not-delivered" },
      { observedAt: "2022-07-04T11:08:00.000Z", why: "another-grid" },
    ]);
  });
});

describe("what arrives while the largest so far is looked at", () => {
  function arrive(store: ViewerStore, frames: Parameters<typeof exampleHistory>[0]): void {
    store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
  }
  const corrected = [...steadyFrames(3), { sequence: 4, minute: 0, variant: "b" }];

  test("is told if it changed a window that is counted, until it is dismissed", () => {
    const store = createStore(steadyFrames(3));
    arrive(store, corrected);
    expect(selectSoFarArrivals(store.getState()).map(({ sequence }) => sequence)).toEqual([4]);
    store.getState().dismissSoFarArrivals();
    expect(selectSoFarArrivals(store.getState())).toEqual([]);
  });

  test("is counted anew for another event", () => {
    const store = createStore(steadyFrames(9));
    store.getState().leaveEvent();
    store.getState().chooseEvent(exampleEventId);
    arrive(store, corrected);
    expect(selectSoFarArrivals(store.getState())).toEqual([]);
    arrive(store, [...corrected, { sequence: 5, minute: 2, variant: "b" }]);
    expect(selectSoFarArrivals(store.getState()).map(({ sequence }) => sequence)).toEqual([5]);
  });

  test("is not told if it is the next window, or not known at the chosen sequence", () => {
    const store = createStore(steadyFrames(3));
    arrive(store, steadyFrames(4));
    expect(selectSoFarArrivals(store.getState())).toEqual([]);
    store.getState().setKnownAt(3);
    arrive(store, corrected);
    expect(selectSoFarArrivals(store.getState())).toEqual([]);
  });
});
