import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { HostingState, Pack, PackChange, PackList } from "../../../shared/contract/packs.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import { findAddressProblem } from "../forms/pack-address.ts";
import { toChangeRows } from "../acting/pack-changes.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { startPackSession, type PanelSession } from "../acting/panel-sessions.ts";
import { findSharingObstacle, inPanelOrder, toVersionRange } from "./packs-slice.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import { findPackTask, findTask } from "./tasks-slice.ts";

const hosting: HostingState = {
  listener: { status: "off" },
  git: { status: "found", version: "2.39.5" },
};

function examplePack(eventId: string, changes: Partial<Pack> = {}): Pack {
  return {
    eventId,
    label: eventId,
    origin: "own",
    latestSequence: 3,
    exportedSequence: null,
    commit: null,
    shared: null,
    gotFrom: null,
    ...changes,
  };
}

const shared = { remote: "http://127.0.0.1:1/a.git", lastPushedAt: null, pending: 0, problem: null };
const list: PackList = { hosting, lan: { status: "off" }, tokens: "memory", packs: [examplePack("iowa")] };

describe("the session's reading of packs", () => {
  let store: ViewerStore;
  let session: PanelSession;
  let readings: number;
  let answer: () => Promise<unknown>;
  let visible: boolean;

  beforeEach(() => {
    vi.useFakeTimers();
    store = createViewerStore({ access: "acting", sharePart: "packs" });
    readings = 0;
    visible = true;
    answer = () => Promise.resolve({ ok: list });
    const carrier = ((name: string) => {
      if (name === "packs.list") readings += 1;
      return answer();
    }) as ActionCarrier;
    session = startPackSession({ store, carrier, isVisible: () => visible });
  });

  afterEach(() => {
    session.close();
    vi.useRealTimers();
  });

  test("happens while the panel is open and seen, and not at all otherwise", async () => {
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 3);
    expect(readings).toBe(0);
    store.getState().toggleFlyout("share");
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().packs).toEqual({ phase: "ready", list });
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs);
    expect(readings).toBe(2);
    visible = false;
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 3);
    store.getState().closeFlyout();
    visible = true;
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 3);
    expect(readings).toBe(2);
  });

  test("follows the end of a task about a pack", async () => {
    const task: Task = {
      id: "task-1",
      kind: "pack-share",
      eventId: "iowa",
      state: "running",
      progress: { done: 0, total: 0 },
      message: "",
    };
    store.getState().toggleFlyout("share");
    await vi.advanceTimersByTimeAsync(0);
    store.getState().receiveTasks([task]);
    await vi.advanceTimersByTimeAsync(0);
    expect(readings).toBe(1);
    store.getState().receiveTasks([{ ...task, state: "done" }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(readings).toBe(2);
  });

  test("stores the answer of a switch at once", async () => {
    store.getState().receivePacks(list);
    answer = () => Promise.resolve({ problem: { code: "unexpected", detail: "" } });
    const on: HostingState = { ...hosting, listener: { status: "on", address: "http://127.0.0.1:47801" } };
    session.note("hosting.switch", on);
    session.note("lan.switch", { status: "failed", problem: "The port is taken." });
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().packs).toEqual({
      phase: "failed",
      list: { ...list, hosting: on, lan: { status: "failed", problem: "The port is taken." } },
    });
  });

  test("makes the page read-only when refused, and stops", async () => {
    answer = () => Promise.resolve({ problem: { code: "refused", detail: "" } });
    store.getState().toggleFlyout("share");
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 3);
    expect(store.getState().access).toBe("refused");
    expect(readings).toBe(1);
  });
});

test("the chosen event's pack comes first, then what is shared, else the host's order stays", () => {
  const packs = [examplePack("a"), examplePack("b", { shared }), examplePack("c"), examplePack("d")];
  expect(inPanelOrder(packs, "d").map(({ eventId }) => eventId)).toEqual(["d", "b", "a", "c"]);
});

test("what stands in the way of sharing is named, the lack of Git first", () => {
  const missing = { status: "missing", problem: "Install Git." } as const;
  expect(findSharingObstacle(hosting)).toBe("hosting-off");
  expect(findSharingObstacle({ ...hosting, git: missing })).toBe("git-missing");
  expect(findSharingObstacle({ ...hosting, listener: { status: "failed", problem: "" } })).toBe(
    "hosting-failed",
  );
  expect(findSharingObstacle({ ...hosting, listener: { status: "on", address: "x" } })).toBeUndefined();
});

describe("the two versions to be compared", () => {
  const versions = [4, 5, 6, 9].map((sequence) => ({ sequence, observedAt: "", publishedAt: "" }));

  test("are the oldest and the newest until somebody chooses", () => {
    expect(toVersionRange(versions, {})).toEqual({ from: 4, to: 9 });
    expect(toVersionRange(versions, { from: 5, to: 6 })).toEqual({ from: 5, to: 6 });
  });

  test("stay in order, and among what is still there", () => {
    expect(toVersionRange(versions, { from: 6, to: 5 })).toEqual({ from: 4, to: 5 });
    expect(toVersionRange(versions, { from: 3, to: 7 })).toEqual({ from: 4, to: 9 });
    expect(toVersionRange(versions, { to: 4 })).toEqual({ from: 4, to: 9 });
  });

  test("are none where there is one version or none", () => {
    expect(toVersionRange([], {})).toBeUndefined();
    expect(toVersionRange(versions.slice(0, 1), {})).toBeUndefined();
  });
});

test("new windows that follow one another are one row, and everything late has its own", () => {
  const change = (sequence: number, kind: PackChange["kind"]): PackChange => ({
    sequence,
    observedAt: `2024-05-20T21:${String(sequence).padStart(2, "0")}:00Z`,
    publishedAt: "2024-05-20T22:00:00Z",
    kind,
    late: kind !== "new",
    supersedes: null,
    products: [],
  });
  const late = change(3, "correction");
  const rows = toChangeRows([change(1, "new"), change(2, "new"), late, change(4, "new")]);
  expect(rows).toMatchObject([
    { kind: "new", firstSequence: 1, lastSequence: 2, count: 2, lastObservedAt: "2024-05-20T21:02:00Z" },
    { kind: "single", change: late },
    { kind: "new", firstSequence: 4, lastSequence: 4, count: 1 },
  ]);
});

describe("an address that is being typed", () => {
  test.each(["", "  ", "https://desk.example/git/events/iowa.git", " http://127.0.0.1:47801/git/e/i.git\n"])(
    "%j is fine",
    (text) => {
      expect(findAddressProblem(text)).toBeUndefined();
    },
  );

  test.each([
    ["desk.example/iowa.git", /https/],
    ["http://desk.example/iowa.git", /Plain HTTP/],
    ["https://x:secret@desk.example/iowa.git", /the token has its own field/],
  ])("%s is not, and the sentence says why", (text, sentence) => {
    expect(findAddressProblem(text)).toMatch(sentence);
    expect(findAddressProblem(text)).not.toContain("secret");
  });
});

test("a task that only writes a pack is none of the event's own", () => {
  const task = (kind: Task["kind"]): Task => ({
    id: kind,
    kind,
    eventId: "iowa",
    state: "running",
    progress: { done: 0, total: 0 },
    message: "",
  });
  const tasks = [task("pack-share"), task("fetch")];
  expect(findTask(tasks, "iowa")?.kind).toBe("fetch");
  expect(findPackTask(tasks, "iowa")?.kind).toBe("pack-share");
  expect(findTask([task("pack-get")], "iowa")?.kind).toBe("pack-get");
});
