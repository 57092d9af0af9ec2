import { describe, expect, test } from "vitest";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { selectIsPast, selectNewerCount } from "../selectors.ts";
import { findShownLoopEnds } from "../timeline/loop.ts";
import { selectPinnedSequence, selectWantedSequence } from "../timeline/playhead.ts";
import type { PlayOrder } from "../timeline/play-order.ts";
import type { ViewerStore } from "../store.ts";

function wanted(store: ViewerStore): number | undefined {
  return selectWantedSequence(store.getState());
}

describe("an untouched viewer", () => {
  test("follows the newest observed window as revisions arrive", () => {
    const store = exampleStore(steadyFrames(3));
    expect(wanted(store)).toBe(3);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(4)));
    expect(wanted(store)).toBe(4);
    expect(selectIsPast(store.getState())).toBe(false);
  });

  test("does not move for a late correction or a backfill of an older window", () => {
    const correction: ExampleFrame = { sequence: 4, minute: 2, variant: "b" };
    const store = exampleStore([...steadyFrames(3), correction]);
    expect(wanted(store)).toBe(3);
    store
      .getState()
      .receiveHistory(
        exampleEventId,
        exampleHistory([...steadyFrames(3), correction, { sequence: 5, minute: -10 }]),
      );
    expect(wanted(store)).toBe(3);
  });

  test("moves to a correction of the newest window itself", () => {
    const store = exampleStore([...steadyFrames(3), { sequence: 4, minute: 4, variant: "b" }]);
    expect(wanted(store)).toBe(4);
  });

  test("shows nothing where there is nothing, and no key changes that", () => {
    const store = exampleStore([]);
    const { step, goToFirst, goToLast, play, pinNewest, goTo } = store.getState();
    step(1);
    goToFirst();
    goToLast();
    goTo(3);
    play();
    pinNewest();
    expect(wanted(store)).toBeUndefined();
    expect(store.getState().playhead).toEqual({ mode: "pinned" });
  });

  test("continues to follow the newest window when a step forward is impossible", () => {
    const store = exampleStore(steadyFrames(3));
    store.getState().step(1);
    expect(store.getState().playhead.mode).toBe("pinned");
  });
});

describe("a viewer that was moved", () => {
  test("stays where it is and counts what arrives", () => {
    const store = exampleStore(steadyFrames(5));
    store.getState().step(-2);
    expect(wanted(store)).toBe(3);
    expect(selectNewerCount(store.getState())).toBe(0);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(7)));
    expect(wanted(store)).toBe(3);
    expect(selectNewerCount(store.getState())).toBe(2);
    expect(selectIsPast(store.getState())).toBe(true);
  });

  test("follows again when asked for the newest, and forgets the count", () => {
    const store = exampleStore(steadyFrames(5));
    store.getState().goTo(2);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(6)));
    store.getState().pinNewest();
    expect(wanted(store)).toBe(6);
    expect(selectNewerCount(store.getState())).toBe(0);
  });

  test("steps through sequences with gaps and stays at the ends", () => {
    const store = exampleStore([2, 3, 9].map((sequence) => ({ sequence, minute: 2 * sequence })));
    store.getState().goToFirst();
    expect(wanted(store)).toBe(2);
    store.getState().step(-1);
    expect(wanted(store)).toBe(2);
    store.getState().step(2);
    expect(wanted(store)).toBe(9);
    store.getState().step(10);
    expect(wanted(store)).toBe(9);
  });

  test("goes to the newest window with End, and as published to the highest sequence, be it a backfill", () => {
    const store = exampleStore([...steadyFrames(3), { sequence: 4, minute: -10 }]);
    store.getState().goToLast();
    expect(wanted(store)).toBe(3);
    store.getState().goToLast("published");
    expect(wanted(store)).toBe(4);
    expect(selectPinnedSequence(store.getState())).toBe(3);
    expect(selectIsPast(store.getState())).toBe(true);
  });

  test("steps by observed time over each window's newest revision, and as published over all", () => {
    const corrected = [
      ...steadyFrames(4),
      { sequence: 5, minute: 2, variant: "b" },
      { sequence: 6, minute: -2 },
    ];
    const store = exampleStore(corrected);
    const walk = (order?: PlayOrder): number[] => {
      store.getState().goToFirst(order);
      return corrected.map(() => {
        const here = wanted(store)!;
        store.getState().step(1, order);
        return here;
      });
    };
    expect(walk()).toEqual([6, 1, 5, 3, 4, 4]);
    expect(walk("published")).toEqual([1, 2, 3, 4, 5, 6]);
    store.getState().setPlayOrder("published");
    expect(walk()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("steps from a replaced revision to the neighbors of its window", () => {
    const store = exampleStore([...steadyFrames(4), { sequence: 5, minute: 2, variant: "b" }]);
    store.getState().goTo(2);
    store.getState().step(1);
    expect(wanted(store)).toBe(3);
    store.getState().goTo(2);
    store.getState().step(-1);
    expect(wanted(store)).toBe(1);
  });

  test("shows the nearest revision when its own is no longer held", () => {
    const store = exampleStore(steadyFrames(5));
    store.getState().goTo(1);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(9).slice(4)));
    expect(wanted(store)).toBe(5);
  });

  test("starts over with another event", () => {
    const store = exampleStore(steadyFrames(5));
    store.getState().goTo(2);
    store.getState().chooseEvent("texas");
    expect(store.getState().playhead).toEqual({ mode: "pinned" });
    expect(store.getState().history.revisions).toEqual([]);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(5)));
    expect(store.getState().history.revisions).toEqual([]);
  });
});

describe("playing", () => {
  test("begins where the person is and ends with any step", () => {
    const store = exampleStore(steadyFrames(5));
    store.getState().play();
    expect(store.getState().playhead).toMatchObject({ mode: "held", sequence: 5, playing: true });
    store.getState().advance(1);
    expect(store.getState().playhead).toMatchObject({ sequence: 1, playing: true });
    store.getState().step(1);
    expect(store.getState().playhead).toMatchObject({ sequence: 2, playing: false });
  });

  test("does not begin with a single revision", () => {
    const store = exampleStore(steadyFrames(1));
    store.getState().play();
    expect(store.getState().playhead.mode).toBe("pinned");
  });
});

describe("an end of the loop", () => {
  test("is put at a revision, and back at the end of the list it is open again", () => {
    const store = exampleStore(steadyFrames(10));
    store.getState().moveLoopEnd("first", 4);
    expect(store.getState().loop).toEqual({ first: 4, last: undefined });
    store.getState().moveLoopEnd("last", 7);
    expect(store.getState().loop).toEqual({ first: 4, last: 7 });
    store.getState().moveLoopEnd("first", 1);
    store.getState().moveLoopEnd("last", 10);
    expect(store.getState().loop).toBe("all");
  });

  test("never passes the other one: two revisions are left to loop over", () => {
    const store = exampleStore(steadyFrames(10));
    store.getState().moveLoopEnd("last", 5);
    store.getState().moveLoopEnd("first", 9);
    expect(store.getState().loop).toEqual({ first: 4, last: 5 });
  });

  test("begins where the loop over the last minutes stood", () => {
    const store = exampleStore(steadyFrames(40));
    store.getState().setLoop(30);
    store.getState().moveLoopEnd("last", 35);
    expect(store.getState().loop).toEqual({ first: 25, last: 35 });
  });

  test("stays in the last minutes while playback rests, and moves on with it", () => {
    const store = exampleStore(steadyFrames(40));
    const state = store.getState;
    const ends = () => findShownLoopEnds(state(), state().loop);
    state().setLoop(30);
    expect(ends()).toEqual({ first: 24, last: 39 });
    state().receiveHistory(exampleEventId, exampleHistory(steadyFrames(42)));
    expect(ends()).toEqual({ first: 26, last: 41 });
    state().goTo(30);
    state().receiveHistory(exampleEventId, exampleHistory(steadyFrames(45)));
    expect(ends()).toEqual({ first: 26, last: 41 });
    state().play();
    expect(ends()).toEqual({ first: 29, last: 44 });
  });

  test("is forgotten with its event", () => {
    const store = exampleStore(steadyFrames(10));
    store.getState().moveLoopEnd("first", 4);
    store.getState().chooseEvent("another");
    expect(store.getState().loop).toBe("all");
  });
});
