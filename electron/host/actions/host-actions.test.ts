import { describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createHostActions, type ActionParts } from "./host-actions.ts";
import { TaskBoard, type TaskReport, type TaskWork } from "./task-board.ts";

const known = {
  name: "plains-2024",
  label: "Plains hail",
  startedAt: "2024-02-28T00:00:00Z",
  endedAt: "2024-02-28T05:00:00Z",
  area: "Plains",
  summary: "Hail.",
};

/** Work that a test ends by hand. */
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
  const parts = {
    board,
    findEvent: vi.fn((id: string) => Promise.resolve(events.get(id))),
    registerEvent: vi.fn<ActionParts["registerEvent"]>(() => Promise.resolve()),
    archiveEvent: vi.fn(() => Promise.resolve()),
    listKnownEvents: () => [known],
    beginFetch: async (request: unknown, report: TaskReport, signal: AbortSignal) => {
      const { ended } = await fetching.begin(request, report, signal);
      return { ended };
    },
    beginReplay: replaying.begin,
  };
  return { actions: createHostActions(parts), parts, board, events, fetching, replaying, log };
}

describe("registering", () => {
  test("a known event is registered under its own name, with the catalogue's window", async () => {
    const { actions, parts } = setUp();
    expect(await actions["events.registerKnown"]({ name: "plains-2024" })).toEqual({
      eventId: "plains-2024",
    });
    const { label, startedAt, endedAt } = known;
    expect(parts.registerEvent).toHaveBeenCalledExactlyOnceWith({
      id: "plains-2024",
      label,
      startedAt,
      endedAt,
    });
  });

  test("a name that the catalogue does not have is not found", async () => {
    const { actions, parts } = setUp();
    await expect(actions["events.registerKnown"]({ name: "nowhere" })).rejects.toMatchObject({
      code: "not-found",
    });
    expect(parts.registerEvent).not.toHaveBeenCalled();
  });
});

describe("fetching", () => {
  test("is a task that tells how far it is, and ends done", async () => {
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

  test("of an unknown event is refused, and so is a second one at the same time", async () => {
    const { actions } = setUp();
    await expect(actions["events.fetch"]({ eventId: "ohio" })).rejects.toMatchObject({ code: "not-found" });
    await actions["events.fetch"]({ eventId: "iowa" });
    await expect(actions["events.fetch"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    await expect(actions["events.archive"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
  });

  test("that fails says why in words, and nothing of what nobody wrote for a person", async () => {
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

  test("stops when asked, once, and cannot be paused", async () => {
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

describe("replaying", () => {
  test("goes into an event of its own, under a name that nobody has", async () => {
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

  test("pauses and goes on", async () => {
    const { actions } = setUp();
    const { id } = await actions["events.replay"]({ eventId: "iowa", speed: 10 });
    expect(await actions["tasks.pause"]({ taskId: id })).toMatchObject({ state: "paused" });
    expect(await actions["tasks.pause"]({ taskId: id })).toMatchObject({ state: "paused" });
    expect(await actions["tasks.resume"]({ taskId: id })).toMatchObject({ state: "running" });
  });

  test("of an event without revisions is refused", async () => {
    const { actions } = setUp(0);
    await expect(actions["events.replay"]({ eventId: "iowa", speed: 10 })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});

describe("the board", () => {
  test("stops everything when it is closed, and starts nothing more", async () => {
    const { actions, board } = setUp();
    await actions["events.fetch"]({ eventId: "iowa" });
    await board.close();
    expect(board.list()).toMatchObject([{ state: "stopped" }]);
    await expect(actions["events.fetch"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
  });

  test("has no task of work that cannot begin", async () => {
    const board = new TaskBoard(() => undefined);
    const refused = new AppError("conflict", "It is archived.");
    await expect(
      board.start({ kind: "fetch", eventId: "iowa", message: "", begin: () => Promise.reject(refused) }),
    ).rejects.toBe(refused);
    expect(board.list()).toEqual([]);
    expect(board.isBusy("iowa")).toBe(false);
  });

  test("keeps what runs and the newest of what has ended", async () => {
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
