// Plans of retention: the removed windows, and the event without them.
import { expect, test } from "vitest";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { startMs } from "../support/drafts.ts";
import { emptyEvent, type EventState } from "./event-state.ts";
import { narrowEvent, planRetention } from "./plan-retention.ts";

const live: EventState = {
  ...emptyEvent,
  ...{ id: "live", kind: "operational-feed", label: "Live", origin: "observed", status: "active" },
  startedAtMs: startMs - 1000,
  bounds: [-120, 20, -70, 50],
  currentRevisionId: "R9",
  prunedSequence: 4,
  updatedAtMs: startMs,
};

test("removal goes up to the limit before the newest observation, and spares the current revision", () => {
  expect(planRetention(live, startMs + 30_000, 60_000)).toEqual({
    keptFromMs: startMs - 30_000,
    lastWindow: startMs / windowMs - 1,
    currentRevisionId: "R9",
  });
});

test.each<[string, EventState | undefined, number | undefined]>([
  ["an unknown event", undefined, startMs],
  ["a benchmark", { ...live, kind: "historical-event" }, startMs],
  ["an archived feed", { ...live, status: "archived" }, startMs],
  ["a feed without revisions", live, undefined],
])("nothing of %s is removed", (_what, event, newest) => {
  expect(planRetention(event, newest, 0)).toBeUndefined();
});

test("an event covers what remains, a mirror what its source says, and no pruned sequence is forgotten", () => {
  const remaining = { startedAtMs: startMs, bounds: [-100, 30, -90, 40] as [number, number, number, number] };
  expect(narrowEvent(live, [5, 7, 6], remaining)).toEqual({ ...live, ...remaining, prunedSequence: 7 });
  expect(narrowEvent(live, [2], remaining).prunedSequence).toBe(4);
  const mirror = { ...live, mirrorOf: "http://127.0.0.1/" };
  expect(narrowEvent(mirror, [5], remaining)).toEqual({ ...mirror, prunedSequence: 5 });
});
