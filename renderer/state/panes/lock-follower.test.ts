import { expect, test } from "vitest";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { selectWantedSequence } from "../timeline/playhead.ts";
import type { ViewerStore } from "../store.ts";
import type { Lock } from "./lock.ts";
import { followLock } from "./lock-follower.ts";
import type { Onset } from "./onset.ts";
import { createPanesStore, type Pane, type PanesStore } from "./pane-store.ts";

/** Two panes with the same event, of which A leads. */
function openTwo(lock: Lock, frames: readonly ExampleFrame[]): { panes: PanesStore; a: Pane; b: Pane } {
  const toPane = (letter: Pane["letter"]): Pane => ({
    letter,
    store: exampleStore(frames),
    followPublished: () => () => undefined,
    retry: () => undefined,
  });
  const [a, b] = [toPane("A"), toPane("B")];
  const panes = createPanesStore(a);
  panes.setState({ count: 2, panes: [a, b], lock });
  followLock(panes);
  return { panes, a, b };
}

function wanted({ store }: Pane): number | undefined {
  return selectWantedSequence(store.getState());
}

function arrive(store: ViewerStore, frames: readonly ExampleFrame[]): void {
  store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
}

/** An onset some windows after the first one. */
function onsetAt(panes: PanesStore, windows: number): Onset {
  const { window, observedMs } = panes.getState().panes[0]!.store.getState().history.all[0]!;
  return { kind: "found", window: window + windows, observedMs, by: "mrms-mesh", unread: 0 };
}

test("a pane follows the lead, and stays at a correction and at a window that arrive until the lead steps", () => {
  const lacking = steadyFrames(3);
  const { a, b } = openTwo("observed", lacking);
  arrive(a.store, steadyFrames(5));
  a.store.getState().goTo(2);
  expect(wanted(b)).toBe(2);
  arrive(b.store, [...lacking, { sequence: 4, minute: 2, variant: "b" }]);
  expect(wanted(b)).toBe(2);
  a.store.getState().goTo(4);
  expect(wanted(b)).toBe(3);
  arrive(b.store, [...lacking, { sequence: 4, minute: 2, variant: "b" }, { sequence: 5, minute: 6 }]);
  expect(wanted(b)).toBe(3);
  a.store.getState().goTo(5);
  expect(wanted(b)).toBe(5);
});

test("a pane takes each window that arrives while the lead follows the newest", () => {
  const { a, b } = openTwo("observed", steadyFrames(3));
  expect(wanted(b)).toBe(3);
  arrive(a.store, steadyFrames(4));
  expect(wanted(b)).toBe(3);
  arrive(b.store, steadyFrames(4));
  expect(wanted(b)).toBe(4);
});

test("a pane takes its window when older revisions are read, for they are no arrival", () => {
  const { a, b } = openTwo("observed", steadyFrames(6).slice(3));
  arrive(a.store, steadyFrames(6));
  a.store.getState().goTo(2);
  b.store.getState().goTo(6);
  b.store.getState().receiveOlder(exampleEventId, exampleHistory(steadyFrames(3)), 4);
  expect(wanted(b)).toBe(2);
});

test("a pane moves to an onset that a search finds, and stays at one that is found in an arrival", () => {
  const { panes, a, b } = openTwo("onset", steadyFrames(9));
  a.store.getState().goTo(3);
  expect(wanted(b)).toBe(9);
  panes.setState({ onsets: { A: onsetAt(panes, 1), B: { kind: "none", unread: 0 } } });
  arrive(b.store, [...steadyFrames(9), { sequence: 10, minute: 4, variant: "b" }]);
  panes.setState({ onsets: { A: onsetAt(panes, 1), B: onsetAt(panes, 2) } });
  expect(wanted(b)).toBe(9);
  a.store.getState().step(1);
  expect(wanted(b)).toBe(5);
});

test("an onset that a correction moves leaves the pane where it is until the lead steps", () => {
  const { panes, a, b } = openTwo("onset", steadyFrames(9));
  a.store.getState().goTo(3);
  panes.setState({ onsets: { A: onsetAt(panes, 1), B: onsetAt(panes, 3) } });
  expect(wanted(b)).toBe(5);
  panes.setState({ onsets: { A: onsetAt(panes, 1), B: onsetAt(panes, 2) } });
  arrive(b.store, [...steadyFrames(9), { sequence: 10, minute: 4, variant: "b" }]);
  expect(wanted(b)).toBe(5);
  a.store.getState().step(1);
  expect(wanted(b)).toBe(5);
  a.store.getState().step(1);
  expect(wanted(b)).toBe(6);
});
