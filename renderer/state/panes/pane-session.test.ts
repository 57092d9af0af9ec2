import { expect, test } from "vitest";
import type { StormClient } from "../../api/client.ts";
import { exampleEvent, exampleEventId, exampleStore, steadyFrames } from "../../support/example-data.ts";
import type { ViewerStore } from "../store.ts";
import { startPanes, type PaneSession } from "./pane-session.ts";

function openPanes(store: ViewerStore): PaneSession {
  const pending = (): Promise<never> => new Promise<never>(() => undefined);
  return startPanes({
    paneA: { letter: "A", store, followPublished: () => () => undefined, retry: () => undefined },
    client: { listEarlierRevisions: pending, listRevisions: pending } as unknown as StormClient,
    effects: {
      isPublic: false,
      isVisible: () => true,
      openSocket: () => ({ send: () => undefined, close: () => undefined }),
      random: () => 0.5,
      onNextFrame: () => () => undefined,
    },
    startPane: () => () => undefined,
  });
}

test("the end of a comparison restores the single view, whatever was done in pane A", () => {
  const store = exampleStore(steadyFrames(5));
  const { getState } = store;
  getState().setLoop({ first: 2, last: 4 });
  getState().setKnownAt(4);
  getState().goTo(3);
  const panes = openPanes(store);
  panes.setCount(2);
  getState().receiveEvents([exampleEvent(), exampleEvent({ id: "another" })]);
  getState().toggleSoFar();
  getState().chooseEvent("another");
  getState().setComparing(true);
  panes.setCount(1);
  expect(getState()).toMatchObject({
    ...{ selectedEventId: "iowa", knownAt: 4, playhead: { mode: "held", sequence: 3, playing: false } },
    ...{ loop: { first: 2, last: 4 }, isComparing: false, isSoFarOn: false },
  });
  panes.close();
});

test("every pane leaves an event that was removed, and the single view does not come back to it", () => {
  const store = exampleStore(steadyFrames(5));
  store.getState().receiveEvents([exampleEvent(), exampleEvent({ id: "another" })]);
  const panes = openPanes(store);
  panes.setCount(4);
  store.getState().chooseEvent("another");
  panes.forgetEvent(exampleEventId);
  const chosen = panes.store.getState().panes.map((pane) => pane.store.getState().selectedEventId);
  expect(chosen).toEqual(["another", "another", "another", "another"]);
  panes.setCount(1);
  expect(store.getState()).toMatchObject({ selectedEventId: "another", otherCaches: undefined });
  panes.close();
});
