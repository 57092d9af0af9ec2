// Which registrations, completions, archivings and removals are accepted.
import { describe, expect, test } from "vitest";
import { observedAfter, startMs } from "../support/drafts.ts";
import { resolveIdentity } from "./event-rules.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import {
  checkRegistration,
  planArchiving,
  planCompletion,
  planRegistration,
  requireRemovable,
} from "./plan-event.ts";

const window = { startedAt: observedAfter(0), endedAt: observedAfter(3600) };
const registration = { id: "storm", label: "A storm", ...window };
const registered = planRegistration(undefined, checkRegistration(registration), startMs)!;
const plain: EventState = {
  ...emptyEvent,
  ...{ id: "plain", kind: "historical-event", label: "Plain", origin: "observed", status: "active" },
  updatedAtMs: startMs,
};

describe("a registration", () => {
  test.each([
    ["an invalid id", { id: "No" }],
    ["an empty label", { label: "  " }],
    ["a label with terminal control characters", { label: "\u001b]0;x\u0007" }],
    ["a label with a direction mark", { label: "a\u202eb" }],
    ["a label without end", { label: "a".repeat(1001) }],
    ["an empty window", { endedAt: window.startedAt }],
    ["an invalid instant", { startedAt: "yesterday" }],
  ])("is refused for %s", (_what, change) => {
    expect(() => checkRegistration({ ...registration, ...change })).toThrow(
      expect.objectContaining({ code: "invalid-input" }),
    );
  });

  test("creates nothing if it is repeated, also after the event has grown", () => {
    const grown = { ...registered, endedAtMs: startMs + 7_200_000 };
    expect(planRegistration(grown, checkRegistration(registration), startMs + 1)).toBeUndefined();
    const moved = checkRegistration({ ...registration, endedAt: observedAfter(3601) });
    expect(() => planRegistration(grown, moved, startMs)).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });
});

test("a label needs room for the mark of its origin", () => {
  const draft = { id: "storm", label: "a".repeat(1000) };
  expect(resolveIdentity(undefined, draft).label).toBe(draft.label);
  expect(() => resolveIdentity(undefined, { ...draft, origin: "synthetic" })).toThrow(/label/);
});

describe("the end of an ingest", () => {
  test("completes an active historical event; a registered one only if its window is filled", () => {
    expect(planCompletion(plain, false, startMs + 1)).toMatchObject({
      status: "complete",
      updatedAtMs: startMs + 1,
    });
    expect(planCompletion(registered, false, startMs)).toBeUndefined();
    expect(planCompletion(registered, true, startMs)?.status).toBe("complete");
  });

  test.each<[string, EventState | undefined]>([
    ["unknown", undefined],
    ["a live feed", { ...plain, kind: "operational-feed" }],
    ["archived", { ...plain, status: "archived" }],
    ["a mirror", { ...plain, mirrorOf: "pack:x" }],
  ])("changes nothing if the event is %s", (_what, event) => {
    expect(planCompletion(event, true, startMs)).toBeUndefined();
  });
});

describe("archiving", () => {
  test("never moves updatedAt back, and happens once", () => {
    const archived = planArchiving(plain, "plain", startMs - 5000)!;
    expect(archived).toMatchObject({ status: "archived", updatedAtMs: startMs });
    expect(planArchiving(archived, "plain", startMs)).toBeUndefined();
  });

  test("needs a known event of this catalog", () => {
    expect(() => planArchiving(undefined, "x", startMs)).toThrow(
      expect.objectContaining({ code: "not-found" }),
    );
    expect(() => planArchiving({ ...plain, mirrorOf: "pack:x" }, "plain", startMs)).toThrow(/came in a pack/);
  });
});

test("only an event that never had a revision can be removed", () => {
  expect(() => {
    requireRemovable(plain, "plain");
  }).not.toThrow();
  expect(() => {
    requireRemovable({ ...plain, lastSequence: 1 }, "plain");
  }).toThrow(expect.objectContaining({ code: "conflict" }));
});
