import { expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { actions as contract } from "../../../shared/contract/actions.ts";
import { createBriefingActions, type BriefingParts } from "./briefing-actions.ts";
import { TaskBoard, type TaskReport } from "./task-board.ts";

const briefing = {
  eventId: "iowa",
  label: "Iowa",
  publishedAt: "2026-11-21T00:00:00.000Z",
  revisionPages: 3,
  folder: "/data/briefings/iowa",
  address: null,
  behind: 0,
};

function setUp() {
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  const begun: { request?: unknown; report?: TaskReport; signal?: AbortSignal } = {};
  const board = new TaskBoard(vi.fn());
  const beginPublish: BriefingParts["beginPublish"] = (request, report, signal) => {
    Object.assign(begun, { request, report, signal });
    return Promise.resolve({ ended });
  };
  const events = new Map([
    ["iowa", 3],
    ["empty", 0],
  ]);
  const actions = createBriefingActions({
    board,
    findEvent: (id) => {
      const latestSequence = events.get(id);
      return Promise.resolve(
        latestSequence === undefined ? undefined : { id, label: "Iowa", latestSequence },
      );
    },
    listBriefings: () => Promise.resolve([briefing]),
    beginPublish,
  });
  return { actions, board, begun, resolve, reject };
}

test("briefings are listed as the contract says", async () => {
  const { actions } = setUp();
  const listed = await actions["briefings.list"]({});
  expect(contract["briefings.list"].output.parse(listed)).toEqual({ briefings: [briefing] });
});

test("publishing is a task about the event that tells how far it is, and ends with its sentence", async () => {
  const { actions, board, begun, resolve } = setUp();
  const request = { eventId: "iowa", sequences: [1, 3], baseUrl: "https://brief.example/" };
  const task = await actions["briefings.publish"](request);
  expect(contract["briefings.publish"].output.parse(task)).toMatchObject({
    kind: "briefing-publish",
    eventId: "iowa",
    state: "running",
  });
  expect(begun.request).toEqual(request);
  begun.report?.progress(2, 6);
  expect(board.list()[0]).toMatchObject({ progress: { done: 2, total: 6 } });
  resolve("3 revisions have their pages.");
  await expect
    .poll(() => board.list()[0])
    .toMatchObject({ state: "done", message: "3 revisions have their pages." });
});

test("one event is published once at a time, and may be replayed or shared meanwhile", async () => {
  const { actions, board } = setUp();
  await actions["briefings.publish"]({ eventId: "iowa" });
  await expect(actions["briefings.publish"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
  expect(board.isBusy("iowa", "briefing")).toBe(true);
  expect(board.isBusy("iowa", "event")).toBe(false);
  expect(board.isBusy("iowa", "pack")).toBe(false);
});

test("a publication that fails says why", async () => {
  const { actions, board, reject } = setUp();
  await actions["briefings.publish"]({ eventId: "iowa" });
  reject(new AppError("storage-failed", "The disk is full."));
  await expect.poll(() => board.list()[0]).toMatchObject({ state: "failed", message: "The disk is full." });
});

test("stopping reaches the work", async () => {
  const { actions, board, begun, resolve } = setUp();
  const { id } = await actions["briefings.publish"]({ eventId: "iowa" });
  begun.signal?.addEventListener("abort", () => {
    resolve("too late");
  });
  expect(await board.stop(id)).toMatchObject({ state: "stopped" });
});

test("an event that is not there, and one without data, make no task", async () => {
  const { actions, board } = setUp();
  await expect(actions["briefings.publish"]({ eventId: "ohio" })).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(actions["briefings.publish"]({ eventId: "empty" })).rejects.toMatchObject({
    code: "conflict",
    message: "Iowa has no revision yet that a page could be about.",
  });
  expect(board.list()).toEqual([]);
});
