import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { actions as contract } from "../../../shared/contract/actions.ts";
import { stepsOf } from "../../../shared/views/support/example-steps.ts";
import type { Zone } from "../../services/gateway/zone.ts";
import {
  openBriefingTrial,
  preparedMap,
  removeSharedTrials,
} from "../../sharing/briefings/support/briefing-trial.ts";
import { briefingsIn } from "../config/data-location.ts";
import { createBriefingActions, type BriefingActionParts } from "./briefing-actions.ts";
import { TaskBoard } from "./task-board.ts";

/** Time limit for a slow machine. */
const patience = { timeout: 30_000 };
const origin = "http://127.0.0.1:47802";

type Front = ReturnType<BriefingActionParts["gateway"]>;

function inFrontOf(hosts: readonly string[], publicOrigin: string): NonNullable<Front> {
  const zone: Zone = {
    id: "z1",
    hosts,
    publicOrigin,
    plan: "pro",
    customMetadata: false,
    origin: { kind: "briefings", directory: "/briefings" },
    customHostnames: [],
    singleRedirects: [],
    bulkRedirects: [],
  };
  return { origin, zones: [{ ...zone, id: "z0", origin: { kind: "http", url: origin } }, zone] };
}

async function setUp() {
  const trial = await openBriefingTrial();
  for (const [id, label] of [
    ["iowa", "Iowa"],
    ["plains", "Plains"],
  ] as const) {
    await trial.add({ id, label }, { minute: 0, values: { "mrms-mesh": 30 } });
  }
  const at: { gateway?: Front } = {};
  const board = new TaskBoard(vi.fn());
  const { catalog, frames, directory: dataDirectory } = trial;
  const mapFile = await preparedMap();
  const actions = createBriefingActions({
    ...{ board, catalog, frames, dataDirectory, mapFile },
    gateway: () => at.gateway,
  });
  const directory = briefingsIn(dataDirectory);
  return {
    ...{ actions, at, board, catalog, directory },
    publish: (eventId: string) => actions["briefings.publish"]({ eventId }),
    list: async () => (await actions["briefings.list"]({})).briefings,
    whenEnded: async () => {
      await expect.poll(() => board.list().some(({ state }) => state === "running"), patience).toBe(false);
      return board.list()[0]!;
    },
    pageOf: (eventId: string) => readFile(join(directory, eventId, "index.html"), "utf8"),
  };
}

// Bundles the map once.
beforeAll(preparedMap, 60_000);
afterAll(removeSharedTrials);

test("publishing is a task of the event that reports its progress; then the briefing is listed", async () => {
  const { actions, publish, whenEnded, pageOf } = await setUp();
  expect(await actions["briefings.list"]({})).toEqual({ briefings: [] });
  const task = await publish("iowa");
  expect(contract["briefings.publish"].output.parse(task)).toMatchObject({
    kind: "briefing-publish",
    eventId: "iowa",
    state: "running",
  });
  const ended = await whenEnded();
  expect(ended).toMatchObject({ state: "done", message: expect.stringMatching(/4 files written/) as string });
  expect(ended.progress.total).toBeGreaterThan(0);
  expect(ended.progress.done).toBe(ended.progress.total);
  await publish("iowa");
  expect((await whenEnded()).message).toMatch(/4 files/);
  expect(await pageOf("iowa")).not.toContain(origin);
  const listed = await actions["briefings.list"]({});
  expect(contract["briefings.list"].output.parse(listed)).toMatchObject({
    briefings: [{ eventId: "iowa", address: null, behind: 0 }],
  });
});

test("a request may choose revisions and a base address", async () => {
  const { actions, whenEnded, pageOf } = await setUp();
  await actions["briefings.publish"]({ eventId: "iowa", sequences: [1], baseUrl: "https://brief.example/" });
  expect(await whenEnded()).toMatchObject({ state: "done" });
  expect(await pageOf("iowa")).toContain('<link rel="canonical" href="https://brief.example/iowa/">');
  await actions["briefings.publish"]({ eventId: "iowa", sequences: [7] });
  expect(await whenEnded()).toMatchObject({
    state: "failed",
    message: expect.stringContaining("7") as string,
  });
});

test("behind a gateway, pages have their public address and are listed where this computer reaches them", async () => {
  const { at, publish, whenEnded, list, pageOf } = await setUp();
  at.gateway = inFrontOf(["brief.example"], "https://brief.example");
  await publish("iowa");
  await whenEnded();
  expect(await pageOf("iowa")).toContain('<link rel="canonical" href="https://brief.example/iowa/">');
  expect(await list()).toMatchObject([{ address: "https://brief.example/iowa/" }]);
  const front = inFrontOf(["127.0.0.1", "brief.example"], "https://brief.example");
  at.gateway = front;
  expect(await list()).toMatchObject([{ address: `${origin}/iowa/` }]);
  at.gateway = { origin, zones: front.zones.slice(0, 1) };
  expect(await list()).toMatchObject([{ address: null }]);
});

test("each event is published by one task at a time, and may be replayed or shared meanwhile", async () => {
  const { publish, board, whenEnded } = await setUp();
  await publish("iowa");
  await expect(publish("iowa")).rejects.toMatchObject({ code: "conflict" });
  expect(board.isBusy("iowa", "briefing")).toBe(true);
  expect(board.isBusy("iowa", "event")).toBe(false);
  expect(board.isBusy("iowa", "pack")).toBe(false);
  await whenEnded();
});

test("two events published at once are both in the folder's list", async () => {
  const { publish, whenEnded, directory } = await setUp();
  await Promise.all([publish("iowa"), publish("plains")]);
  await whenEnded();
  const list = await readFile(join(directory, "index.html"), "utf8");
  expect(list).toContain("Iowa");
  expect(list).toContain("Plains");
});

test("a task that is stopped in the queue leaves no files", async () => {
  const { publish, board, whenEnded, list } = await setUp();
  await publish("iowa");
  const { id } = await publish("plains");
  expect(await board.stop(id)).toMatchObject({ state: "stopped" });
  await whenEnded();
  expect((await list()).map(({ eventId }) => eventId)).toEqual(["iowa"]);
});

test("a failed publication reports the reason", async () => {
  const { publish, whenEnded, directory } = await setUp();
  await mkdir(join(directory, ".."), { recursive: true });
  await writeFile(directory, "");
  await publish("iowa");
  expect(await whenEnded()).toMatchObject({
    state: "failed",
    message: expect.stringContaining("The briefing could not be written") as string,
  });
});

test("an unknown event, or one without a revision, starts no task", async () => {
  const { publish, board, catalog } = await setUp();
  const window = { startedAt: "2024-05-20T21:00:00Z", endedAt: "2024-05-20T22:00:00Z" };
  await catalog.registerEvent({ id: "empty", label: "Empty", ...window });
  await expect(publish("ohio")).rejects.toMatchObject({ code: "not-found" });
  await expect(publish("empty")).rejects.toMatchObject({
    code: "conflict",
    message: "Empty has no revision yet; it cannot be published.",
  });
  expect(board.list()).toEqual([]);
});

test("the steps of a briefing are saved with the version that they replace", async () => {
  const { actions, catalog } = await setUp();
  const save = actions["briefings.saveSteps"];
  const saved = await save({ document: stepsOf("iowa", "a"), basedOn: 0 });
  expect(contract["briefings.saveSteps"].output.parse(saved)).toEqual({
    version: 1,
    changedAt: expect.any(String) as string,
  });
  expect((await catalog.findSteps("iowa"))?.document).toBe(JSON.stringify(stepsOf("iowa", "a")));
  await expect(save({ document: stepsOf("iowa", "b"), basedOn: 0 })).rejects.toMatchObject({
    code: "steps-changed",
  });
  await expect(save({ document: stepsOf("ohio", "a"), basedOn: 0 })).rejects.toMatchObject({
    code: "not-found",
  });
});
