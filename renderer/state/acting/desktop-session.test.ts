import { describe, expect, test, vi } from "vitest";
import type { DesktopNews, Opened, UpdateState } from "../../../shared/contract/desktop.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import { createBriefingStore } from "../briefing/briefing-store.ts";
import { createViewerStore } from "../store.ts";
import { listEnded, startDesktopSession } from "./desktop-session.ts";

function setUp(waiting: Opened[], update: UpdateState = { step: "unknown" }) {
  const store = createViewerStore();
  const briefing = createBriefingStore();
  const calls: (readonly [string, unknown])[] = [];
  let announce: (news: DesktopNews) => void = () => undefined;
  const answers: Readonly<Record<string, () => unknown>> = {
    "opened.take": () => ({ opened: waiting.splice(0) }),
    "updates.read": () => update,
    "notifications.show": () => ({ shown: true }),
    "notifications.hold": () => ({ on: true }),
  };
  const carrier = ((name: string, input: unknown) => {
    calls.push([name, input]);
    return Promise.resolve({ ok: answers[name]!() });
  }) as ActionCarrier;
  const openText = vi.fn(() => Promise.resolve());
  const tellAddedFiles = vi.fn();
  const close = startDesktopSession({
    ...{ store, briefing, carrier, openText, tellAddedFiles },
    onNews: (listener) => {
      announce = listener;
      return () => {
        announce = () => undefined;
      };
    },
  });
  const tellNews = (news: DesktopNews): void => {
    announce(news);
  };
  return { store, briefing, calls, openText, tellAddedFiles, announce: tellNews, close };
}

describe("what the system hands over", () => {
  test("is opened in order, also what came before the page", async () => {
    const result = { chosen: true, eventId: "added-files", files: [] };
    const waiting: Opened[] = [
      { kind: "link", text: "echotop://view?v=1" },
      { kind: "files", result },
    ];
    const { openText, tellAddedFiles, announce } = setUp(waiting);
    await vi.waitFor(() => {
      expect(tellAddedFiles).toHaveBeenCalledExactlyOnceWith(result);
    });
    waiting.push({ kind: "view", text: "{}" });
    announce("opened");
    await vi.waitFor(() => {
      expect(openText.mock.calls).toEqual([["echotop://view?v=1"], ["{}"]]);
    });
  });

  test("and was refused is told in its sentence, and opens nothing", async () => {
    const { store, openText } = setUp([
      { kind: "refused", sentence: "The link was not opened: it is too long." },
    ]);
    await vi.waitFor(() => {
      expect(store.getState().openedView).toMatchObject({
        phase: "refused",
        message: "The link was not opened: it is too long.",
      });
    });
    expect(openText).not.toHaveBeenCalled();
  });
});

test("nothing is opened before the screen is free after a show", async () => {
  const { briefing, openText, announce, calls } = setUp([]);
  await vi.waitFor(() => {
    expect(calls.map(([name]) => name)).toContain("opened.take");
  });
  const before = calls.length;
  briefing.setState({ isScreenTaken: true });
  announce("opened");
  expect(calls).toHaveLength(before);
  expect(openText).not.toHaveBeenCalled();
  briefing.setState({ isScreenTaken: false });
  expect(calls.slice(before).map(([name]) => name)).toEqual(["opened.take"]);
});

test("the state of updates is read at first and after news", async () => {
  const { store, calls, announce, close } = setUp([], { step: "ready", version: "0.2.0" });
  await vi.waitFor(() => {
    expect(store.getState().update).toEqual({ step: "ready", version: "0.2.0" });
  });
  announce("updates");
  expect(calls.filter(([name]) => name === "updates.read")).toHaveLength(2);
  close();
  announce("updates");
  expect(calls.filter(([name]) => name === "updates.read")).toHaveLength(2);
});

test("notifications are held for the length of a show", () => {
  const { briefing, calls } = setUp([]);
  const held = (): unknown[] =>
    calls.flatMap(([name, input]) => (name === "notifications.hold" ? [input] : []));
  briefing.setState({ isOpen: true });
  expect(held()).toEqual([]);
  const show = { steps: [], current: 0, wanted: 0, frozen: undefined, black: false, asking: undefined };
  briefing.setState({ show: { ...show, differences: [], notes: false, startedAtMs: 0 } });
  briefing.setState(({ show: running }) => ({ show: running && { ...running, black: true } }));
  expect(held()).toEqual([{ on: true }]);
  briefing.setState({ show: undefined });
  expect(held()).toEqual([{ on: true }, { on: false }]);
});

describe("work that ended", () => {
  const task: Task = {
    id: "1",
    kind: "fetch",
    eventId: "storm",
    state: "running",
    progress: { done: 1, total: 2 },
    message: "Fetched 2 of 2 files.",
  };
  const { tasks, loopOutcome, addingFiles, events } = createViewerStore().getState();
  const idle = { tasks, loopOutcome, addingFiles, events };

  test.each([
    ["done", 1],
    ["failed", 1],
    ["stopped", 0],
    ["paused", 0],
    ["running", 0],
  ] as const)("is notified once: a task that is %s %d times", (state, count) => {
    const before = { ...idle, tasks: [task] };
    const after = { ...idle, tasks: [{ ...task, state }] };
    const ended = listEnded(after, before);
    expect(ended).toEqual(count === 0 ? [] : [{ title: "Echotop", body: "Fetched 2 of 2 files." }]);
    expect(listEnded(after, after)).toEqual([]);
    expect(listEnded({ ...after, tasks: [...after.tasks] }, after)).toEqual([]);
  });

  test("is a saved loop, or files that were added", () => {
    const saved = {
      ...idle,
      loopOutcome: {
        kind: "saved",
        fileName: "storm.mp4",
        eventId: "storm",
        newest: 1,
        byteLength: 1,
      } as const,
    };
    expect(listEnded(saved, idle)).toEqual([{ title: "Loop saved", body: "storm.mp4" }]);
    expect(listEnded(idle, saved)).toEqual([]);
    const adding = { ...idle, addingFiles: { done: 1, total: 1 } };
    expect(listEnded(idle, adding)).toEqual([{ title: "Files added", body: "1 file was read." }]);
    expect(listEnded(adding, idle)).toEqual([]);
  });

  test("reaches the desktop through the store", async () => {
    const { store, calls } = setUp([]);
    store.setState({ tasks: [task] });
    store.setState({ tasks: [{ ...task, state: "done" }] });
    await vi.waitFor(() => {
      expect(calls).toContainEqual([
        "notifications.show",
        { title: "Echotop", body: "Fetched 2 of 2 files." },
      ]);
    });
  });
});
