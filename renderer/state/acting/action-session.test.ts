import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { LiveState } from "../../../shared/contract/live.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { startActionSession, type ViewerActions } from "./action-session.ts";
import { exampleEvent, exampleEventId, exampleHistory, steadyFrames } from "../../support/example-data.ts";
import { exampleFeed } from "../../support/example-feeds.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";

const running: Task = {
  id: "task-1",
  kind: "fetch",
  eventId: "plains",
  state: "running",
  progress: { done: 1, total: 4 },
  message: "",
};

const liveOff: LiveState = {
  status: "off",
  source: null,
  eventId: null,
  problem: null,
  isConfigured: false,
};
const liveOn: LiveState = { ...liveOff, status: "on", source: "noaa", eventId: "conus-live" };

describe("the actions of a session", () => {
  let store: ViewerStore;
  let session: ViewerActions;
  let answers: Record<string, unknown>;
  let asked: [name: string, input: unknown][];
  let feeds: FeedHealth[];
  let feedReadings: number;
  let visible: boolean;
  let changes: number;

  beforeEach(() => {
    vi.useFakeTimers();
    store = createViewerStore({ access: "acting" });
    answers = { "tasks.list": { ok: { tasks: [] } }, "live.read": { ok: liveOff } };
    asked = [];
    feeds = [exampleFeed()];
    feedReadings = 0;
    visible = true;
    changes = 0;
    const carrier = ((name: string, input: unknown) => {
      asked.push([name, input]);
      return Promise.resolve(answers[name]);
    }) as ActionCarrier;
    session = startActionSession({
      store,
      forgetEvent: store.getState().forgetEvent,
      carrier,
      client: {
        listFeeds: () => {
          feedReadings += 1;
          return Promise.resolve({ feeds });
        },
      },
      onChange: () => (changes += 1),
      effects: {
        now: () => Date.now(),
        isPublic: false,
        isVisible: () => visible,
        onReturn: () => () => undefined,
      },
    });
  });

  afterEach(() => {
    session.close();
    vi.useRealTimers();
  });

  const namesAsked = (): string[] => asked.map(([name]) => name);
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  test("reads the feeds while the page is seen, and after news, and not while it is hidden", async () => {
    await pass(pollTiming.feedsMs);
    expect(feedReadings).toBe(2);
    expect(store.getState().feeds.list).toEqual(feeds);
    store.getState().receiveEvents([exampleEvent()]);
    store.getState().receiveHistory(exampleEventId, exampleHistory(steadyFrames(2)));
    await pass(0);
    expect(feedReadings).toBe(3);
    visible = false;
    await pass(10 * pollTiming.feedsMs);
    expect(feedReadings).toBe(3);
  });

  test("follows a task closely until it has ended, and then reads the events again", async () => {
    await pass(0);
    answers["events.fetch"] = { ok: running };
    answers["tasks.list"] = { ok: { tasks: [{ ...running, progress: { done: 2, total: 4 } }] } };
    await session.act("events.fetch", { eventId: "plains" });
    expect(store.getState().tasks).toEqual([running]);
    await pass(pollTiming.tasksMs);
    expect(store.getState().tasks[0]?.progress.done).toBe(2);
    const before = changes;
    answers["tasks.list"] = { ok: { tasks: [{ ...running, state: "done" }] } };
    await pass(pollTiming.tasksMs);
    expect(changes).toBe(before + 1);
    const readings = namesAsked().length;
    await pass(5 * pollTiming.tasksMs);
    expect(namesAsked().length).toBe(readings);
  });

  test("registers before it fetches, and chooses the event once it is listed", async () => {
    answers["events.registerKnown"] = { ok: { eventId: "plains" } };
    answers["events.fetch"] = { ok: running };
    expect(await session.registerAndFetch({ known: "plains" }, "folder:/x")).toBe(true);
    expect(asked).toContainEqual(["events.fetch", { eventId: "plains", source: "folder:/x" }]);
    expect(store.getState().selectedEventId).toBeUndefined();
    store.getState().receiveEvents([exampleEvent(), exampleEvent({ id: "plains" })]);
    expect(store.getState().selectedEventId).toBe("plains");
    store.getState().chooseEvent(exampleEventId);
    store.getState().receiveEvents([exampleEvent(), exampleEvent({ id: "plains" })]);
    expect(store.getState().selectedEventId).toBe(exampleEventId);
  });

  test("fetches nothing after a failed registration, and reports the reason", async () => {
    answers["events.registerKnown"] = { problem: { code: "conflict", detail: "It is taken." } };
    expect(await session.registerAndFetch({ known: "plains" }, undefined)).toBe(false);
    expect(namesAsked()).not.toContain("events.fetch");
    expect(store.getState().actionNote).toEqual({ tone: "bad", text: "It is taken." });
  });

  test("goes live, reads the feeds at once, and chooses the live event once it is listed", async () => {
    await pass(0);
    expect(store.getState().live).toEqual(liveOff);
    const readings = feedReadings;
    answers["live.start"] = { ok: liveOn };
    expect(await session.live.start("noaa")).toBeUndefined();
    await pass(0);
    expect(asked).toContainEqual(["live.start", { source: "noaa" }]);
    expect([store.getState().live, feedReadings]).toEqual([liveOn, readings + 1]);
    store.getState().receiveEvents([exampleEvent()]);
    expect(store.getState().selectedEventId).toBe(exampleEventId);
    store.getState().receiveEvents([exampleEvent(), exampleEvent({ id: "conus-live" })]);
    expect(store.getState().selectedEventId).toBe("conus-live");
    answers["live.stop"] = { ok: { ...liveOff, source: "noaa" } };
    expect(await session.live.stop()).toBeUndefined();
    expect(store.getState().live?.status).toBe("off");
  });

  test("returns what is wrong with a live source, and keeps the state", async () => {
    await pass(0);
    answers["live.start"] = { problem: { code: "invalid-input", detail: "There is no such folder." } };
    expect(await session.live.start("folder:/absent")).toBe("There is no such folder.");
    expect([store.getState().live, store.getState().actionNote]).toEqual([liveOff, undefined]);
  });

  test("sees that another window has gone live", async () => {
    await pass(0);
    answers["live.read"] = { ok: liveOn };
    await pass(pollTiming.othersMs);
    expect(store.getState().live).toEqual(liveOn);
  });

  test("a removed event leaves the list at once, and another is chosen", async () => {
    store.getState().receiveEvents([exampleEvent({ id: "plains" }), exampleEvent()]);
    store.getState().chooseEvent("plains");
    answers["events.remove"] = { problem: { code: "conflict", detail: "It has frames." } };
    await session.removeEvent("plains");
    expect(store.getState().selectedEventId).toBe("plains");
    answers["events.remove"] = { ok: { eventId: "plains" } };
    await session.removeEvent("plains");
    expect(store.getState().events.list.map(({ id }) => id)).toEqual([exampleEventId]);
    expect(store.getState().selectedEventId).toBe(exampleEventId);
    answers["events.remove"] = { ok: { eventId: exampleEventId } };
    await session.removeEvent(exampleEventId);
    expect(store.getState().selectedEventId).toBeUndefined();
  });

  test("becomes read-only when the token is refused, and stops reading tasks", async () => {
    answers["tasks.list"] = { problem: { code: "refused", detail: "Not that token." } };
    await pass(pollTiming.idleTasksMs);
    expect(store.getState().access).toBe("refused");
    const readings = namesAsked().length;
    await pass(3 * pollTiming.idleTasksMs);
    expect(namesAsked().length).toBe(readings);
  });
});
