import { describe, expect, test, vi } from "vitest";
import type { BriefingSteps } from "../../../shared/views/briefing-steps.ts";
import { stepsOf } from "../../../shared/views/support/example-steps.ts";
import { createBriefingStore } from "./briefing-store.ts";
import { removeStep } from "./steps-edit.ts";
import { createStepsKeeper, type SaveOutcome } from "./steps-keeper.ts";
import { startSteps } from "./steps-session.ts";

/** A keeper that holds what another person has stored, and answers each save when the test says so. */
function startExample() {
  const store = createBriefingStore();
  const saves: { document: BriefingSteps; basedOn: number; answer: (outcome: SaveOutcome) => void }[] = [];
  const stored = { version: 3, document: stepsOf("iowa", "a", "b", "c") };
  const session = startSteps(store, {
    load: (eventId) =>
      eventId === "iowa" ? Promise.resolve({ ...stored }) : Promise.reject(new Error("unreachable")),
    save: (document, basedOn) =>
      new Promise((answer) => {
        saves.push({ document, basedOn, answer });
      }),
  });
  const idsOf = (document: Pick<BriefingSteps, "steps">): string =>
    document.steps.map(({ id }) => id).join("");
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { store, saves, stored, session, idsOf, settled };
}

test("steps are read with their event, and failing to read them is said", async () => {
  const { store, session, settled } = startExample();
  session.follow("iowa");
  await settled();
  expect(store.getState()).toMatchObject({ phase: "ready", steps: [{ id: "a" }, { id: "b" }, { id: "c" }] });
  session.follow("ohio");
  await settled();
  expect(store.getState()).toMatchObject({ phase: "failed", steps: [] });
});

describe("a change", () => {
  test("is saved on the version that was read; one made meanwhile is saved after it", async () => {
    const { store, saves, session, idsOf, settled } = startExample();
    session.follow("iowa");
    await settled();
    session.change((steps) => removeStep(steps, "a"));
    session.change((steps) => removeStep(steps, "b"));
    expect(saves).toHaveLength(1);
    expect(saves[0]).toMatchObject({ basedOn: 3 });
    saves[0]!.answer({ version: 4 });
    await settled();
    expect(saves[1]).toMatchObject({ basedOn: 4 });
    expect(idsOf(saves[1]!.document)).toBe("c");
    saves[1]!.answer({ version: 5 });
    await settled();
    expect(store.getState().keeping).toEqual({ kind: "kept" });
  });

  test("to another event's list leaves the one that waits with its own event", async () => {
    const { store, saves, session, settled } = startExample();
    session.follow("iowa");
    await settled();
    session.change((steps) => removeStep(steps, "a"));
    session.change((steps) => removeStep(steps, "b"));
    session.follow("ohio");
    saves[0]!.answer({ version: 4 });
    await settled();
    expect(saves[1]).toMatchObject({ basedOn: 4, document: { eventId: "iowa" } });
    expect(store.getState()).toMatchObject({ eventId: "ohio", phase: "failed" });
  });

  test("of steps that somebody else has changed waits for the person's decision", async () => {
    const { store, saves, stored, session, idsOf, settled } = startExample();
    session.follow("iowa");
    await settled();
    session.change((steps) => removeStep(steps, "a"));
    saves[0]!.answer({ problem: "conflict" });
    await settled();
    expect(store.getState().keeping).toEqual({ kind: "conflict" });
    stored.version = 9;
    const settling = session.settle("mine");
    await settled();
    expect(saves[1]).toMatchObject({ basedOn: 9 });
    expect(idsOf(saves[1]!.document)).toBe("bc");
    saves[1]!.answer({ problem: "conflict" });
    await settling;
    await session.settle("stored");
    expect(idsOf(store.getState() as never)).toBe("abc");
  });

  test("that the person decides on while going to another event is saved to neither", async () => {
    const { store, saves, stored, session, settled } = startExample();
    session.follow("iowa");
    await settled();
    session.change((steps) => removeStep(steps, "a"));
    saves[0]!.answer({ problem: "conflict" });
    await settled();
    stored.version = 9;
    const settling = session.settle("mine");
    session.follow("ohio");
    await settling;
    expect(saves).toHaveLength(1);
    expect(store.getState()).toMatchObject({ eventId: "ohio" });
  });
});

test("an earlier read that ends late replaces no changed steps", async () => {
  const store = createBriefingStore();
  const answers: ((version: number) => void)[] = [];
  const session = startSteps(store, {
    load: (eventId) =>
      new Promise((resolve) => {
        answers.push((version) => {
          resolve({ version, document: stepsOf(eventId, "a", "b") });
        });
      }),
    save: (_document, basedOn) => Promise.resolve({ version: basedOn + 1 }),
  });
  for (const eventId of ["iowa", "ohio", "iowa"]) session.follow(eventId);
  answers[2]!(7);
  await vi.waitFor(() => {
    expect(store.getState().phase).toBe("ready");
  });
  session.change((steps) => removeStep(steps, "a"));
  answers[0]!(7);
  await new Promise((resolve) => setTimeout(resolve));
  expect(store.getState().steps.map(({ id }) => id)).toEqual(["b"]);
});

test("steps that the browser cannot store are not called kept", async () => {
  const keeper = createStepsKeeper({
    client: { getSteps: () => Promise.reject(new Error("unreachable")) },
    carrier: () => Promise.reject(new Error("no action")),
    storage: {
      getItem: () => null,
      setItem: () => {
        throw new DOMException("", "QuotaExceededError");
      },
    },
    mayAct: () => false,
  });
  expect(await keeper.save(stepsOf("iowa", "a"), 0)).toEqual({
    problem: "failed",
    detail: "The browser's storage is full or turned off.",
  });
});
