import { expect, test } from "vitest";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { selectWantedSequence } from "../playhead.ts";
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

test("a pane follows the lead, stays at a correction that arrives, and takes a window that it lacked", () => {
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
