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
  test("goes from reading to how to add data when there are no events", () => {
    const store = createViewerStore();
    expect(titleOf(store)).toBe("Reading storm events");
    store.getState().receiveEvents([]);
    expect(findMessage(store.getState())).toMatchObject({
      title: "No storm events yet",
      command: expect.stringContaining("ingest") as string,
    });
  });

  test("says that a registered event has no data, and how to download it", () => {
    const store = createViewerStore();
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null })]);
    expect(titleOf(store)).toBe("Reading frames");
    store.getState().receiveHistory(exampleEventId, exampleHistory([]));
    expect(findMessage(store.getState())?.command).toMatch(new RegExp(` fetch .*--event ${exampleEventId}$`));
  });

  test("shows the task that is downloading the event", () => {
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
      title: "Downloading Iowa",
      advice: "Asking the source.",
    });
    store.getState().receiveTask({ ...task, state: "failed", message: "It does not answer." });
    expect(titleOf(store)).toBe("No data yet");
  });

  test("disappears with the first picture, and never covers a picture", () => {
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

  test("offers to try again if the service is silent or its response invalid", () => {
    const store = createViewerStore();
    store.getState().receiveContact(false);
    store.getState().failEvents("unreachable");
    store.getState().tick(offlineAfterMs);
    expect(findMessage(store.getState())).toMatchObject({
      title: "Can't reach the storm service",
      canRetry: true,
    });
    const other = createViewerStore();
    other.getState().receiveContact(true);
    other.getState().failEvents("unreadable");
    expect(findMessage(other.getState())).toMatchObject({ canRetry: true });
  });
});
