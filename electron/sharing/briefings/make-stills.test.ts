import { describe, expect, test } from "vitest";
import { toLateness } from "./make-stills.ts";

describe("a still shows", () => {
  test.each([
    ["nothing if it is new", { kind: "new", supersedes: undefined, supersededBy: undefined }, undefined],
    ["that it came late", { kind: "correction", supersedes: 1, supersededBy: undefined }, "correction"],
    [
      "which revision replaced it",
      { kind: "new", supersedes: undefined, supersededBy: 3 },
      "superseded by 3",
    ],
    [
      "which revision replaced a correction",
      { kind: "correction", supersedes: 1, supersededBy: 3 },
      "superseded by 3",
    ],
  ] as const)("%s", (_what, revision, words) => {
    expect(toLateness(revision)).toBe(words);
  });
});
