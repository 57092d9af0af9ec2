import { describe, expect, test } from "vitest";
import { offlineAfterMs } from "../../platform/viewer-limits.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
} from "../../support/example-data.ts";
import { exampleFeed } from "../../support/example-feeds.ts";
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
    expect(findMessage(store.getState())).toEqual({
      title: "No storm events yet",
      advice: "They appear here when somebody adds them.",
    });
    store.getState().setAccess("acting");
    expect(findMessage(store.getState())).toMatchObject({ title: "No storm events yet", canGoLive: true });
    store.getState().receiveFeeds([exampleFeed()]);
    expect(findMessage(store.getState())).toMatchObject({ title: "Waiting for the first frame" });
  });

  test("offers to download a registered event without data, or to remove it", () => {
    const store = createViewerStore();
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null, status: "active" })]);
    expect(titleOf(store)).toBe("Reading frames");
    store.getState().receiveHistory(exampleEventId, exampleHistory([]));
    expect(findMessage(store.getState())).toEqual({
      title: "Iowa has no frames yet",
      advice: "Download its files from NOAA, or remove it from the list.",
      downloadId: exampleEventId,
      removeId: exampleEventId,
    });
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null, status: "archived" })]);
    expect(findMessage(store.getState())).toMatchObject({ downloadId: undefined, removeId: exampleEventId });
  });

  test.each(["read-only", "public"] as const)("offers no action at a %s service", (access) => {
    const store = createViewerStore();
    store.getState().setAccess(access);
    store.getState().receiveEvents([exampleEvent({ currentRevisionId: null, status: "active" })]);
    store.getState().receiveHistory(exampleEventId, exampleHistory([]));
    expect(findMessage(store.getState())).toEqual({
      title: "Iowa has no frames yet",
      advice: "They appear here when the service has them.",
    });
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
    expect(findMessage(store.getState())).toEqual({
      title: "Couldn't download Iowa",
      advice: "It does not answer.",
      retriedTaskId: "1",
      removeId: exampleEventId,
    });
    store.getState().receiveTask({ ...task, state: "stopped", message: "Stopped." });
    expect(findMessage(store.getState())).toMatchObject({
      title: "Downloading Iowa was stopped",
      retriedTaskId: "1",
    });
  });

  test("disappears with the first picture, and never covers a picture", () => {
    const store = exampleStore(steadyFrames(2));
    expect(titleOf(store)).toBe("Loading the picture");
    store
      .getState()
      .receiveDrawn({ eventId: exampleEventId, sequence: 2, layers: [], failed: [], overlays: {} });
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
      canReadAgain: true,
    });
    const other = createViewerStore();
    other.getState().receiveContact(true);
    other.getState().failEvents("unreadable");
    expect(findMessage(other.getState())).toMatchObject({ canReadAgain: true });
  });
});
