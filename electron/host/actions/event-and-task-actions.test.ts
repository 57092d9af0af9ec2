import { describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createEventActions } from "./event-and-task-actions.ts";
import { listKnownEvents } from "../config/known-events.ts";
import type { EventRecord } from "../../catalog/catalog.ts";
import { TaskBoard, type TaskReport, type TaskWork } from "./task-board.ts";

const known = listKnownEvents()[0]!;

/** Work that a test ends explicitly. */
function createWork() {
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  const begun: { report?: TaskReport; signal?: AbortSignal } = {};
  const begin = vi.fn((_request: unknown, report: TaskReport, signal: AbortSignal): Promise<TaskWork> => {
    Object.assign(begun, { report, signal });
    signal.addEventListener("abort", () => {
      reject(new Error("aborted"));
    });
    return Promise.resolve({ ended, pause: vi.fn(), resume: vi.fn() });
  });
  return { begin, begun, resolve, reject };
}

function setUp(latestSequence = 3) {
  const fetching = createWork();
  const replaying = createWork();
  const log = vi.fn();
  const board = new TaskBoard(log);
  const events = new Map([["iowa", { id: "iowa", label: "Iowa", latestSequence }]]);
  const catalog = {
    findEvent: vi.fn((id: string) => Promise.resolve(events.get(id))),
    registerEvent: vi.fn(() => Promise.resolve({} as EventRecord)),
    archiveEvent: vi.fn(() => Promise.resolve()),
    removeEvent: vi.fn(() => Promise.resolve()),
  };
  const parts = {
    board,
    catalog,
    beginFetch: async (request: unknown, report: TaskReport, signal: AbortSignal) => {
      const { ended } = await fetching.begin(request, report, signal);
      return { ended };
    },
    beginReplay: replaying.begin,
  };
  return { actions: createEventActions(parts), catalog, board, events, fetching, replaying, log };
}

describe("registering an event", () => {
  test("uses a known event's own name and window", async () => {
    const { actions, catalog } = setUp();
    const { name, label, startedAt, endedAt } = known;
    expect(await actions["events.registerKnown"]({ name })).toEqual({ eventId: name });
    expect(catalog.registerEvent).toHaveBeenCalledExactlyOnceWith({ id: name, label, startedAt, endedAt });
  });

  test("fails with not-found for an unknown name", async () => {
    const { actions, catalog } = setUp();
    await expect(actions["events.registerKnown"]({ name: "nowhere" })).rejects.toMatchObject({
      code: "not-found",
    });
    expect(catalog.registerEvent).not.toHaveBeenCalled();
  });
});

describe("fetching an event", () => {
  test("is a task that reports its progress and ends as done", async () => {
    const { actions, fetching } = setUp();
    const task = await actions["events.fetch"]({ eventId: "iowa" });
    expect(task).toMatchObject({ kind: "fetch", eventId: "iowa", state: "running", progress: { total: 0 } });
    fetching.begun.report?.progress(2, 30);
    expect((await actions["tasks.list"]({})).tasks).toMatchObject([{ progress: { done: 2, total: 30 } }]);
    fetching.resolve("30 files.");
    await expect
      .poll(async () => (await actions["tasks.list"]({})).tasks[0])
      .toMatchObject({ state: "done", message: "30 files." });
  });

  test("is refused if the event is unknown or already being fetched", async () => {
    const { actions } = setUp();
    await expect(actions["events.fetch"]({ eventId: "ohio" })).rejects.toMatchObject({ code: "not-found" });
    await actions["events.fetch"]({ eventId: "iowa" });
    await expect(actions["events.fetch"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    await expect(actions["events.archive"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
  });

  test("shows the message of an AppError, and hides any other error", async () => {
    const first = setUp();
    await first.actions["events.fetch"]({ eventId: "iowa" });
    first.fetching.reject(new AppError("upstream-unavailable", "The bucket does not answer."));
    await expect
      .poll(() => first.board.list()[0])
      .toMatchObject({ state: "failed", message: "The bucket does not answer." });

    const second = setUp();
    await second.actions["events.fetch"]({ eventId: "iowa" });
    second.fetching.reject(new Error("EACCES /home/somebody"));
    await expect.poll(() => second.board.list()[0]?.state).toBe("failed");
    expect(second.board.list()[0]?.message).not.toContain("somebody");
    expect(JSON.stringify(second.log.mock.calls)).toContain("somebody");
  });

  test("can be stopped but not paused", async () => {
    const { actions, fetching } = setUp();
    const { id } = await actions["events.fetch"]({ eventId: "iowa" });
    await expect(actions["tasks.pause"]({ taskId: id })).rejects.toMatchObject({ code: "conflict" });
    expect(await actions["tasks.stop"]({ taskId: id })).toMatchObject({ state: "stopped" });
    expect(fetching.begun.signal?.aborted).toBe(true);
    expect(await actions["tasks.stop"]({ taskId: id })).toMatchObject({ state: "stopped" });
    await expect(actions["tasks.resume"]({ taskId: id })).rejects.toMatchObject({ code: "conflict" });
    // The event is free again.
    expect(await actions["events.fetch"]({ eventId: "iowa" })).toMatchObject({ state: "running" });
  });
});

describe("retrying a task", () => {
  test("starts a failed fetch again with the same source, in its place", async () => {
    const { actions, fetching } = setUp();
    const request = { eventId: "iowa", source: "folder:/data/mrms" };
    const { id: taskId } = await actions["events.fetch"](request);
    await expect(actions["tasks.retry"]({ taskId })).rejects.toMatchObject({ code: "conflict" });
    fetching.reject(new AppError("upstream-unavailable", "The folder does not exist."));
    await expect.poll(async () => (await actions["tasks.list"]({})).tasks[0]?.state).toBe("failed");
    const again = await actions["tasks.retry"]({ taskId });
    expect(fetching.begin.mock.calls.map(([given]) => given)).toEqual([request, request]);
    expect((await actions["tasks.list"]({})).tasks.map(({ id }) => id)).toEqual([again.id]);
    await expect(actions["tasks.retry"]({ taskId })).rejects.toMatchObject({ code: "not-found" });
  });

  test("is refused for a task that is done, and while another works on the event", async () => {
    const { actions, fetching, replaying } = setUp();
    const { id: taskId } = await actions["events.fetch"]({ eventId: "iowa" });
    await actions["tasks.stop"]({ taskId });
    const { id: replayId } = await actions["events.replay"]({ eventId: "iowa", asEventId: "iowa", speed: 1 });
    await expect(actions["tasks.retry"]({ taskId })).rejects.toMatchObject({ code: "conflict" });
    replaying.resolve("3 revisions replayed.");
    await expect.poll(async () => (await actions["tasks.list"]({})).tasks[0]?.state).toBe("done");
    await expect(actions["tasks.retry"]({ taskId: replayId })).rejects.toMatchObject({ code: "conflict" });
    expect(fetching.begin).toHaveBeenCalledTimes(1);
  });
});

describe("removing an event", () => {
  test("waits for the end of its task, which is then forgotten", async () => {
    const { actions, catalog, fetching } = setUp(0);
    await actions["events.fetch"]({ eventId: "iowa" });
    await expect(actions["events.remove"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    expect(catalog.removeEvent).not.toHaveBeenCalled();
    fetching.reject(new AppError("not-found", "The source has no files for the event's window."));
    await expect.poll(async () => (await actions["tasks.list"]({})).tasks[0]?.state).toBe("failed");
    expect(await actions["events.remove"]({ eventId: "iowa" })).toEqual({ eventId: "iowa" });
    expect(catalog.removeEvent).toHaveBeenCalledExactlyOnceWith("iowa");
    expect(await actions["tasks.list"]({})).toEqual({ tasks: [] });
  });
});

describe("replaying an event", () => {
  test("creates a new event with a free id", async () => {
    const { actions, events, replaying } = setUp();
    events.set("iowa-replay", { id: "iowa-replay", label: "Iowa (replay)", latestSequence: 3 });
    const task = await actions["events.replay"]({ eventId: "iowa", speed: 10 });
    expect(task).toMatchObject({ kind: "replay", eventId: "iowa-replay-2" });
    expect(replaying.begin.mock.calls[0]?.[0]).toEqual({
      eventId: "iowa",
      asEventId: "iowa-replay-2",
      speed: 10,
    });
  });

  test("can be paused and resumed", async () => {
    const { actions } = setUp();
    const { id } = await actions["events.replay"]({ eventId: "iowa", speed: 10 });
    expect(await actions["tasks.pause"]({ taskId: id })).toMatchObject({ state: "paused" });
    expect(await actions["tasks.pause"]({ taskId: id })).toMatchObject({ state: "paused" });
    expect(await actions["tasks.resume"]({ taskId: id })).toMatchObject({ state: "running" });
  });

  test("is refused if the event has no revisions", async () => {
    const { actions } = setUp(0);
    await expect(actions["events.replay"]({ eventId: "iowa", speed: 10 })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});

describe("the task board", () => {
  test("stops all tasks when it is closed, and refuses new ones", async () => {
    const { actions, board } = setUp();
    await actions["events.fetch"]({ eventId: "iowa" });
    await board.close();
    expect(board.list()).toMatchObject([{ state: "stopped" }]);
    await expect(actions["events.fetch"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
  });

  test("has no task for work that cannot start", async () => {
    const board = new TaskBoard(() => undefined);
    const refused = new AppError("conflict", "It is archived.");
    await expect(
      board.start({ kind: "fetch", eventId: "iowa", message: "", begin: () => Promise.reject(refused) }),
    ).rejects.toBe(refused);
    expect(board.list()).toEqual([]);
    expect(board.isBusy("iowa")).toBe(false);
  });

  test("lists running tasks and the most recently ended ones", async () => {
    const board = new TaskBoard(() => undefined);
    const start = (eventId: string, ended: Promise<string>) =>
      board.start({ kind: "fetch", eventId, message: "", begin: () => Promise.resolve({ ended }) });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = await start("long", promise);
    for (let count = 0; count < 50; count++) {
      await start(`short-${count}`, Promise.resolve("done"));
      await expect.poll(() => board.list()[0]?.state).toBe("done");
    }
    expect(board.list().length).toBeLessThanOrEqual(22);
    expect(board.list()[0]?.eventId).toBe("short-49");
    expect(board.list().at(-1)?.id).toBe(running.id);
    resolve("");
  });
});
