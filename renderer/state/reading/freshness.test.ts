import { describe, expect, test } from "vitest";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  instantOf,
  steadyFrames,
} from "../../support/example-data.ts";
import { offlineAfterMs } from "../../platform/viewer-limits.ts";
import { selectFreshness, selectLink, toFreshness, toLink } from "./freshness.ts";
import { createViewerStore } from "../store.ts";

describe("freshness", () => {
  test("a live event is stale when its newest observation is older than three cadences", () => {
    expect(toFreshness(true, 0, 360_000)).toEqual({ kind: "fresh", ageMs: 360_000 });
    expect(toFreshness(true, 0, 360_001)).toEqual({ kind: "stale", ageMs: 360_001 });
  });

  test("a past event does not age, and an event without data is neither fresh nor stale", () => {
    expect(toFreshness(false, 0, 1e12)).toEqual({ kind: "historical" });
    expect(toFreshness(true, undefined, 1e12)).toEqual({ kind: "none" });
  });

  test("only a running feed of real data has an age alarm", () => {
    const store = createViewerStore({ nowMs: Date.parse(instantOf(30)) });
    store.getState().receiveEvents([exampleEvent({ kind: "operational-feed", status: "active" })]);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(3)));
    expect(selectFreshness(store.getState())).toEqual({ kind: "stale", ageMs: 26 * 60_000 });
    store
      .getState()
      .receiveEvents([exampleEvent({ kind: "operational-feed", status: "active", label: "Iowa (replay)" })]);
    expect(selectFreshness(store.getState())).toEqual({ kind: "historical" });
  });
});

describe("the link", () => {
  test("is connecting at first, reconnecting after a loss, and offline after a long silence", () => {
    expect(toLink({ kind: "connecting", attempt: 1 }, undefined, 0)).toBe("connecting");
    expect(toLink({ kind: "open" }, undefined, 0)).toBe("connected");
    expect(toLink({ kind: "waiting", attempt: 1, delayMs: 500 }, undefined, 0)).toBe("reconnecting");
    expect(toLink({ kind: "connecting", attempt: 2 }, 0, offlineAfterMs - 1)).toBe("reconnecting");
    expect(toLink({ kind: "connecting", attempt: 9 }, 0, offlineAfterMs)).toBe("offline");
  });

  test("depends only on the answers while no event is chosen", () => {
    const store = createViewerStore();
    expect(selectLink(store.getState())).toBe("connecting");
    store.getState().receiveContact(true);
    store.getState().receiveEvents([]);
    expect(selectLink(store.getState())).toBe("connected");
    store.getState().receiveContact(false);
    expect(selectLink(store.getState())).toBe("reconnecting");
    store.getState().tick(offlineAfterMs);
    expect(selectLink(store.getState())).toBe("offline");
  });

  test("counts silence from its beginning and ends it with the first answer", () => {
    const store = createViewerStore({ nowMs: 1_000 });
    store.getState().receiveContact(false);
    store.getState().tick(5_000);
    store.getState().receiveContact(false);
    expect(store.getState().silentSinceMs).toBe(1_000);
    store.getState().receiveStream({ kind: "open" });
    expect(store.getState().silentSinceMs).toBeUndefined();
  });
});
