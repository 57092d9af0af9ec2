// What a still says of its place in the record.
import { describe, expect, test } from "vitest";
import { toLateness } from "./make-stills.ts";

describe("a still says of its revision", () => {
  test.each([
    [
      "nothing when it is simply new",
      { kind: "new", supersedes: undefined, supersededBy: undefined },
      undefined,
    ],
    ["what came late", { kind: "correction", supersedes: 1, supersededBy: undefined }, "correction"],
    ["what replaced it", { kind: "new", supersedes: undefined, supersededBy: 3 }, "superseded by 3"],
    ["what replaced a correction", { kind: "correction", supersedes: 1, supersededBy: 3 }, "superseded by 3"],
  ] as const)("%s", (_what, revision, words) => {
    expect(toLateness(revision)).toBe(words);
  });
});
