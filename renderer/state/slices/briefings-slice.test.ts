import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Briefing, GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { startBriefingSession, type PanelSession } from "../acting/panel-sessions.ts";
import { findZone } from "./briefings-slice.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import { findBriefingTask, findTask } from "./tasks-slice.ts";

const briefing: Briefing = {
  eventId: "iowa",
  label: "Iowa",
  publishedAt: "2024-05-20T22:00:00Z",
  revisionPages: 12,
  folder: "/data/briefings/iowa",
  address: null,
  behind: 0,
};

function exampleZone(id: string, changes: Partial<GatewayZone> = {}): GatewayZone {
  return {
    id,
    hosts: ["brief.example"],
    publicOrigin: "https://brief.example",
    plan: "pro",
    servesBriefings: false,
    feature: { value: "off", editable: true, modifiedOn: null },
    rules: 0,
    ...changes,
  };
}

const gateway: GatewayState = {
  listener: { status: "off" },
  isConfigured: false,
  zones: [],
  directory: null,
};

const task: Task = {
  id: "task-1",
  kind: "briefing-publish",
  eventId: "iowa",
  state: "running",
  progress: { done: 0, total: 13 },
  message: "",
};

describe("the session's reading of briefings and of the gateway", () => {
  let store: ViewerStore;
  let session: PanelSession;
  let asked: string[];
  let answers: Record<string, unknown>;

  beforeEach(() => {
    vi.useFakeTimers();
    store = createViewerStore({ access: "acting" });
    asked = [];
    answers = { "briefings.list": { ok: { briefings: [briefing] } }, "gateway.read": { ok: gateway } };
    const carrier = ((name: string) => {
      asked.push(name);
      return Promise.resolve(answers[name]);
    }) as ActionCarrier;
    session = startBriefingSession({ store, carrier, isVisible: () => true });
  });

  afterEach(() => {
    session.close();
    vi.useRealTimers();
  });

  test("happens while the panel is open, counts how often, and ends with it", async () => {
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 2);
    expect(asked).toEqual([]);
    store.getState().toggleFlyout("share");
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs);
    expect(store.getState().briefings).toEqual({ phase: "ready", list: [briefing] });
    expect(store.getState().gateway).toEqual({ phase: "ready", state: gateway, readings: 2 });
    store.getState().closeFlyout();
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 2);
    expect(asked.length).toBe(4);
  });

  test("follows the end of a publication", async () => {
    store.getState().toggleFlyout("share");
    store.getState().receiveTasks([task]);
    await vi.advanceTimersByTimeAsync(0);
    const before = asked.length;
    store.getState().receiveTasks([{ ...task, state: "done" }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.slice(before).sort()).toEqual(["briefings.list", "gateway.read"]);
  });

  test("stores the answer of a switch at once", async () => {
    answers = {
      "briefings.list": { problem: { code: "unexpected", detail: "" } },
      "gateway.read": { problem: { code: "unexpected", detail: "" } },
    };
    const on: GatewayState = { ...gateway, listener: { status: "on", address: "http://127.0.0.1:47802" } };
    session.note("gateway.switch", on);
    expect(store.getState().gateway).toEqual({ phase: "ready", state: on, readings: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().gateway).toEqual({ phase: "failed", state: on, readings: 1 });
    expect(store.getState().briefings).toEqual({ phase: "failed", list: [] });
  });

  test("makes the page read-only when refused, and stops", async () => {
    const refused = { problem: { code: "refused", detail: "" } };
    answers = { "briefings.list": refused, "gateway.read": refused };
    store.getState().toggleFlyout("share");
    await vi.advanceTimersByTimeAsync(pollTiming.panelMs * 3);
    expect(store.getState().access).toBe("refused");
    expect(asked.length).toBe(2);
  });
});

test("the zone of the briefings is shown first, then the first one, and a chosen one as long as it is there", () => {
  const zones = [exampleZone("a"), exampleZone("b", { servesBriefings: true })];
  expect(findZone(zones, undefined)?.id).toBe("b");
  expect(findZone(zones, "a")?.id).toBe("a");
  expect(findZone(zones, "gone")?.id).toBe("b");
  expect(findZone(zones.slice(0, 1), undefined)?.id).toBe("a");
  expect(findZone([], "a")).toBeUndefined();
});

test("publishing a briefing is no work on the event itself", () => {
  const tasks = [task, { ...task, id: "task-2", kind: "fetch" } as const];
  expect(findTask(tasks, "iowa")?.id).toBe("task-2");
  expect(findBriefingTask(tasks, "iowa")?.id).toBe("task-1");
  expect(findTask([task], "iowa")).toBeUndefined();
});
