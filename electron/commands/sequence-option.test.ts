import { describe, expect, test } from "vitest";
import type { EventHistory } from "../host/analysis/event-history.ts";
import { UsageError } from "./option-values.ts";
import { getRevision, takeKnown } from "./sequence-option.ts";

/** An event of nine revisions; retention has removed all but three. */
const history: EventHistory = {
  eventId: "storm",
  latestSequence: 9,
  revisions: [4, 7, 9].map((sequence) => ({
    sequence,
    revisionId: `r-${sequence}`,
    observedAt: "2024-05-20T21:00:39Z",
    publishedAt: "2024-05-20T21:03:00Z",
    layers: [],
  })),
};
const sequencesOf = (sequence?: number): number[] =>
  takeKnown(history, sequence, "--known-at").map((revision) => revision.sequence);

describe("a sequence", () => {
  test("stands for the kept revisions up to it", () => {
    expect([sequencesOf(), sequencesOf(9), sequencesOf(8), sequencesOf(4)]).toEqual([
      [4, 7, 9],
      [4, 7, 9],
      [4, 7],
      [4],
    ]);
    expect(getRevision(history, 7, "--from").revisionId).toBe("r-7");
  });

  test.each([0, 10])("that the event never had is a wrong command line: %i", (sequence) => {
    expect(() => sequencesOf(sequence)).toThrow(UsageError);
    expect(() => getRevision(history, sequence, "--from")).toThrow("revisions 1 to 9, not");
  });

  test("that is no longer kept is a failure that names the oldest", () => {
    const problem = "The event storm no longer keeps revision 3; the oldest is 4.";
    expect(() => sequencesOf(3)).toThrow(problem);
    expect(() => getRevision(history, 3, "--from")).toThrow(problem);
    expect(() => getRevision(history, 5, "--to")).toThrow("no longer keeps revision 5");
  });

  test("of an event without data is a wrong command line", () => {
    const empty = { ...history, latestSequence: 0, revisions: [] };
    expect(() => takeKnown(empty, 1, "--at")).toThrow("--at: the event storm has no revision, not 1.");
    expect(takeKnown(empty, undefined, "--at")).toEqual([]);
  });
});
