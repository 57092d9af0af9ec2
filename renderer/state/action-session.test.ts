import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import type { Task } from "../../shared/contract/task.ts";
import type { ActionCarrier } from "../api/action-client.ts";
import { pollTiming } from "../platform/viewer-limits.ts";
import { startActionSession, type ViewerActions } from "./action-session.ts";
import { exampleEvent, exampleEventId, exampleHistory, steadyFrames } from "../support/example-data.ts";
import { exampleFeed } from "../support/example-feeds.ts";
import { createViewerStore, type ViewerStore } from "./store.ts";

const running: Task = {
  id: "task-1",
  kind: "fetch",
  eventId: "plains",
  state: "running",
  progress: { done: 1, total: 4 },
  message: "",
};

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
    answers = { "tasks.list": { ok: { tasks: [] } } };
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
      carrier,
      client: {
        listFeeds: () => {
          feedReadings += 1;
          return Promise.resolve({ feeds });
        },
      },
      onChange: () => (changes += 1),
      effects: { now: () => Date.now(), isVisible: () => visible, onReturn: () => () => undefined },
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

  test("becomes read-only when the token is refused, and stops reading tasks", async () => {
    answers["tasks.list"] = { problem: { code: "refused", detail: "Not that token." } };
    await pass(pollTiming.idleTasksMs);
    expect(store.getState().access).toBe("refused");
    const readings = namesAsked().length;
    await pass(3 * pollTiming.idleTasksMs);
    expect(namesAsked().length).toBe(readings);
  });
});
