import { describe, expect, test } from "vitest";
import { feedStates, type FeedHealth, type FeedState } from "../../../shared/contract/feed-health.ts";
import { offlineAfterMs } from "../../platform/viewer-limits.ts";
import { exampleFeed } from "../../support/example-feeds.ts";
import {
  exampleEvent,
  exampleEventId,
  exampleHistory,
  instantOf,
  steadyFrames,
} from "../../support/example-data.ts";
import {
  feedStatusKinds,
  findLiveObstacle,
  selectFeedStatus,
  selectFilesFound,
  toFeedStatus,
  type FeedStatusFacts,
} from "./feed-status.ts";
import { createViewerStore } from "../store.ts";

const facts: FeedStatusFacts = {
  link: "connected",
  feed: exampleFeed(),
  event: "live",
  isStopped: false,
  isStale: false,
  isPast: false,
  isPublic: false,
};

const withState = (state: FeedState): FeedHealth => exampleFeed({ state });

describe("the cause of what is on screen", () => {
  test.each<[string, Partial<FeedStatusFacts>, string]>([
    ["the source has nothing newer", { feed: withState("source-idle") }, "source-idle"],
    ["a public service is asked for news", { feed: undefined, isPublic: true }, "polled"],
    ["a public service is silent", { feed: undefined, isPublic: true, link: "offline" }, "viewer-link-down"],
    ["a past event of a public service", { feed: undefined, isPublic: true, event: "past" }, "not-live"],
    ["our link to the source is down", { feed: withState("link-down") }, "source-link-down"],
    ["our link to the host is down", { link: "offline" }, "viewer-link-down"],
    ["the viewer reconnects", { link: "reconnecting" }, "viewer-link-down"],
    ["processing failed", { feed: withState("processing-failed") }, "processing-failed"],
    ["older windows are on their way", { feed: withState("catching-up") }, "catching-up"],
    ["everything is here", { feed: withState("current") }, "current"],
    ["all that the source has is here and is old", { isStale: true }, "source-idle"],
    ["old windows are on their way", { feed: withState("catching-up"), isStale: true }, "catching-up"],
    ["no feed fills the event", { feed: undefined }, "no-feed"],
    ["a person stopped its feed", { feed: undefined, isStopped: true }, "stopped"],
    ["the event is a past one", { feed: undefined, event: "past" }, "not-live"],
    ["no event is chosen", { feed: undefined, event: "none" }, "no-event"],
  ])("is told when %s", (_what, difference, kind) => {
    expect(toFeedStatus({ ...facts, ...difference }).kind).toBe(kind);
  });

  test("is our own link before any earlier report of the host", () => {
    for (const state of feedStates) {
      expect(toFeedStatus({ ...facts, link: "offline", feed: withState(state) }).kind).toBe(
        "viewer-link-down",
      );
    }
  });

  test("has a kind for every state of a feed, each also in the past", () => {
    const kinds = feedStates.map((state) => toFeedStatus({ ...facts, feed: withState(state) }).kind);
    expect(new Set(kinds).size).toBe(feedStates.length);
    for (const kind of kinds) expect(feedStatusKinds).toContain(kind);
    for (const state of feedStates) {
      expect(toFeedStatus({ ...facts, isPast: true, feed: withState(state) }).isPast).toBe(true);
    }
  });

  test("is taken from the feed of the chosen event, and moves with it", () => {
    const store = createViewerStore({ nowMs: Date.parse(instantOf(10)), stream: { kind: "open" } });
    store.getState().receiveEvents([exampleEvent({ kind: "operational-feed", status: "active" })]);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(3)));
    const status = () => selectFeedStatus(store.getState());
    expect(status()).toEqual({ kind: "no-feed", isPast: false });
    const live = { status: "off", source: "noaa", problem: null, isConfigured: false } as const;
    store.getState().receiveLive({ ...live, eventId: "other" });
    expect(status().kind).toBe("no-feed");
    store.getState().receiveLive({ ...live, eventId: exampleEventId });
    expect(status().kind).toBe("stopped");
    store.getState().receiveLive({ ...live, status: "on", eventId: exampleEventId });
    store.getState().receiveFeeds([exampleFeed({ eventId: "other", state: "link-down" })]);
    expect(status().kind).toBe("no-feed");
    store.getState().receiveFeeds([exampleFeed({ eventId: exampleEventId, state: "catching-up" })]);
    expect(status().kind).toBe("catching-up");
    store.getState().goToFirst();
    expect(status()).toEqual({ kind: "catching-up", isPast: true });
    store.getState().receiveFeeds([exampleFeed({ eventId: exampleEventId, state: "current" })]);
    store.getState().pinNewest();
    expect(status()).toEqual({ kind: "current", isPast: false });
  });
});

describe("a live event in the list", () => {
  const event = exampleEvent({ kind: "operational-feed", status: "active", endedAt: instantOf(8) });
  const now = { nowMs: Date.parse(instantOf(10)), stream: { kind: "open" } } as const;

  test.each<[string, FeedState, ReturnType<typeof findLiveObstacle>]>([
    ["is live with all that the source has", "current", undefined],
    ["is live while older frames are downloaded", "catching-up", undefined],
    ["is not live while processing fails", "processing-failed", "processing-failed"],
    ["is not live without the source", "link-down", "source-link-down"],
    ["is not live once its feed has stopped", "stopped", "stopped"],
  ])("%s", (_what, state, obstacle) => {
    const store = createViewerStore(now);
    store.getState().receiveEvents([event]);
    store.getState().receiveFeeds([exampleFeed({ eventId: event.id, state })]);
    expect(findLiveObstacle(store.getState(), event)).toBe(obstacle);
  });

  test("is not live offline, or with an old picture; a past event is neither", () => {
    const store = createViewerStore(now);
    store.getState().receiveEvents([event]);
    const old = exampleEvent({ ...event, endedAt: instantOf(0) });
    expect(findLiveObstacle(store.getState(), event)).toBeUndefined();
    expect(findLiveObstacle(store.getState(), old)).toBe("stale");
    store.getState().receiveContact(false);
    store.getState().tick(now.nowMs + offlineAfterMs);
    expect(findLiveObstacle(store.getState(), event)).toBe("viewer-link-down");
    expect(findLiveObstacle(store.getState(), exampleEvent())).toBeUndefined();
  });
});

test("the files that the service found last are shown only where no feed has times of its own", () => {
  const store = createViewerStore();
  store.getState().receiveEvents([exampleEvent()]);
  const late = {
    product_id: "mrms-reflectivity",
    status: "complete",
    observed_at: instantOf(2),
    completed_at: instantOf(9),
    error_message: null,
  } as const;
  store.getState().receiveSources([late]);
  expect(selectFilesFound(store.getState())?.products).toEqual([late]);
  store.getState().receiveFeeds([exampleFeed({ eventId: exampleEventId })]);
  expect(selectFilesFound(store.getState())).toBeUndefined();
});
