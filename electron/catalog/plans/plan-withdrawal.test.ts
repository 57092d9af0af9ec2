import { describe, expect, test } from "vitest";
import { emptyEvent, type EventState } from "./event-state.ts";
import { planWithdrawal } from "./plan-withdrawal.ts";

const event: EventState = {
  ...emptyEvent,
  ...{ id: "a", kind: "historical-event", label: "A", origin: "observed", status: "complete" },
  ...{ startedAtMs: 100, endedAtMs: 300, bounds: [0, 0, 9, 9] as EventState["bounds"] },
  ...{ currentRevisionId: "R3", lastSequence: 3, lastPublishedAtMs: 400, updatedAtMs: 500 },
};
const remaining = {
  ...{ newestRevisionId: "R2", startedAtMs: 100, endedAtMs: 200 },
  bounds: [1, 1, 8, 8] as EventState["bounds"],
};
const none = { newestRevisionId: null, startedAtMs: null, endedAtMs: null, bounds: null };

describe("an event whose revision was withdrawn", () => {
  test("shows the newest one that is left, in its window and bounds; the sequence stays used", () => {
    expect(planWithdrawal(event, remaining, 600)).toEqual({
      ...event,
      ...{ currentRevisionId: "R2", endedAtMs: 200, bounds: [1, 1, 8, 8], updatedAtMs: 600 },
    });
  });

  test("keeps its registered window, also without revisions", () => {
    const registered = { ...event, registeredWindow: { startedAtMs: 50, endedAtMs: 250 } };
    expect(planWithdrawal(registered, remaining, 0)).toMatchObject({ startedAtMs: 50, endedAtMs: 250 });
    expect(planWithdrawal(registered, none, 0)).toMatchObject({
      startedAtMs: 50,
      endedAtMs: 250,
      bounds: null,
    });
    expect(planWithdrawal(event, none, 0)).toMatchObject({
      startedAtMs: null,
      endedAtMs: null,
      lastSequence: 3,
    });
  });

  test("keeps the window of its remote if it is mirrored", () => {
    const mirrored = { ...event, mirrorOf: "http://there/" };
    expect(planWithdrawal(mirrored, none, 600)).toEqual({
      ...mirrored,
      ...{ currentRevisionId: null, updatedAtMs: 600 },
    });
  });
});
