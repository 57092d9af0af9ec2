import { describe, expect, test } from "vitest";
import { offlineAfterMs } from "../../platform/viewer-limits.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
} from "../../support/example-data.ts";
import { createViewerStore, type ViewerStore } from "../../state/store.ts";
import { findMessage } from "./map-message.tsx";

function titleOf(store: ViewerStore): string | undefined {
  return findMessage(store.getState())?.title;
}

describe("the map's message", () => {
  test("goes from reading to how data is added when there are no events", () => {
    const store = createViewerStore();
    expect(titleOf(store)).toBe("Reading the storm events");
    store.getState().receiveEvents([]);
    expect(findMessage(store.getState())).toMatchObject({
      title: "No storm events yet",
      command: expect.stringContaining("ingest") as string,
    });
  });

  test("says that a registered event has no data, and how to fill this very one", () => {
    const store = createViewerStore();
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null })]);
    expect(titleOf(store)).toBe("Reading the revisions");
    store.getState().receiveHistory(exampleEventId, exampleHistory([]));
    expect(findMessage(store.getState())?.command).toMatch(new RegExp(` fetch .*--event ${exampleEventId}$`));
  });

  test("says instead that the event is being filled while a task does so", () => {
    const store = createViewerStore();
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null })]);
    store.getState().receiveHistory(exampleEventId, exampleHistory([]));
    const task = {
      id: "1",
      kind: "fetch",
      eventId: exampleEventId,
      progress: { done: 0, total: 9 },
    } as const;
    store.getState().receiveTask({ ...task, state: "running", message: "Asking the source." });
    expect(findMessage(store.getState())).toEqual({
      title: "Fetching Iowa",
      advice: "Asking the source.",
      canRetry: false,
    });
    store.getState().receiveTask({ ...task, state: "failed", message: "It does not answer." });
    expect(titleOf(store)).toBe("No data yet");
  });

  test("gives way to the picture, and never comes back over it", () => {
    const store = exampleStore(steadyFrames(2));
    expect(titleOf(store)).toBe("Loading the picture");
    store.getState().receiveDrawn({ eventId: exampleEventId, sequence: 2, layers: [], failed: [] });
    expect(titleOf(store)).toBeUndefined();
    store.getState().failHistory(exampleEventId, "unreadable");
    store.getState().setMapProblem("A part of the background is missing.");
    store.getState().receiveContact(false);
    store.getState().tick(offlineAfterMs);
    expect(titleOf(store)).toBeUndefined();
  });

  test("offers to try again where the service is silent or an answer could not be read", () => {
    const store = createViewerStore();
    store.getState().receiveContact(false);
    store.getState().failEvents("unreachable");
    store.getState().tick(offlineAfterMs);
    expect(findMessage(store.getState())).toMatchObject({
      title: "The storm service cannot be reached",
      canRetry: true,
    });
    const other = createViewerStore();
    other.getState().receiveContact(true);
    other.getState().failEvents("unreadable");
    expect(findMessage(other.getState())).toMatchObject({ canRetry: true });
  });
});
