import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StormEvent } from "../../../shared/contract/storm-event.ts";
import { ListedEvents, ListedHistory, toCandidates, toEvents } from "./listings.ts";

const seed = 20_240_501;
const event = {
  id: "squall",
  kind: "historical-event",
  label: "Squall",
  status: "active",
  retentionClass: "benchmark",
  updatedAt: "2024-05-01T20:00:00Z",
};
const frame = (sequence: number, revisionId = `R${sequence}`): unknown => ({
  observedAt: "2024-05-01T20:00:00Z",
  revisionId,
  sequence,
  layers: [],
});

test("an invalid entry does not hide the others, and an id counts once", () => {
  const list = ListedEvents.parse({
    schemaVersion: 1,
    generatedAt: "2024-05-01T20:00:00Z",
    events: [
      { ...event, kind: "tornado" },
      event,
      { ...event, label: "Again" },
      null,
      { ...event, id: "../etc" },
      { ...event, id: "colored", label: "\u001b[31mSquall" },
      { ...event, id: "turned", label: "llauqS\u202e" },
    ],
  });
  const entries = toEvents(list);
  expect(entries.flatMap(({ value }) => value?.label ?? [])).toEqual(["Squall"]);
  expect(entries.filter(({ problem }) => problem !== undefined)).toHaveLength(5);
});

test("revisions come in ascending sequence, and two with one sequence are invalid", () => {
  const { listed, problems } = toCandidates([
    frame(3),
    frame(1),
    frame(2),
    frame(2, "other"),
    { sequence: 4 },
  ]);
  expect(listed.map(({ sequence, problem }) => [sequence, problem])).toEqual([
    [1, undefined],
    [2, "Two revisions have the same sequence."],
    [3, undefined],
  ]);
  expect(problems).toHaveLength(1);
});

test("an invalid revision with an id keeps its place, with its problem", () => {
  const { listed, problems } = toCandidates([
    { revisionId: "R1", sequence: 1, observedAt: "yesterday", layers: [] },
  ]);
  expect(listed.map(({ sequence }) => sequence)).toEqual([1]);
  expect(listed[0]?.problem).toContain("observedAt");
  expect(problems).toEqual([]);
});

test("any JSON is refused by the schema or read into valid entries", () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      schemaVersion: fc.constant(1),
      mode: fc.constant("live"),
      attribution: fc.string(),
      disclosure: fc.string(),
      generatedAt: fc.constant("2024-05-01T20:00:00Z"),
      frames: fc.array(fc.oneof(fc.jsonValue(), fc.nat(5).map(frame))),
      events: fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            ...Object.fromEntries(
              Object.entries(event).map(([key, value]) => [
                key,
                fc.oneof(fc.constant(value), fc.jsonValue()),
              ]),
            ),
          }),
        ),
      ),
    }),
  );
  fc.assert(
    fc.property(anything, (json) => {
      const history = ListedHistory.safeParse(json);
      if (history.success) {
        const sequences = toCandidates(history.data.frames).listed.map(({ sequence }) => sequence);
        expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
      }
      const events = ListedEvents.safeParse(json);
      if (!events.success) return;
      for (const { value } of toEvents(events.data))
        if (value) expect(StormEvent.parse(value)).toEqual(value);
    }),
    { seed, numRuns: 500 },
  );
});
