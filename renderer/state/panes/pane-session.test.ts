import { expect, test } from "vitest";
import type { StormClient } from "../../api/client.ts";
import { exampleEvent, exampleStore, steadyFrames } from "../../support/example-data.ts";
import { startPanes } from "./pane-session.ts";

test("the end of a comparison restores the single view, whatever was done in pane A", () => {
  const store = exampleStore(steadyFrames(5));
  const { getState } = store;
  getState().setLoop({ first: 2, last: 4 });
  getState().setKnownAt(4);
  getState().goTo(3);
  const pending = (): Promise<never> => new Promise<never>(() => undefined);
  const panes = startPanes({
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
