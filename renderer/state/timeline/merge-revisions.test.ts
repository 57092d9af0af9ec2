import { expect, test } from "vitest";
import { exampleHistory, steadyFrames } from "../../support/example-data.ts";
import { mergeRevisions } from "./merge-revisions.ts";
import { toRevisions } from "./revisions.ts";

const all = { from: 0, before: Infinity };

test("a revision that is read again stays the same object when another one arrives", () => {
  const held = mergeRevisions([], toRevisions(exampleHistory(steadyFrames(3))), all);
  const merged = mergeRevisions(held, toRevisions(exampleHistory(steadyFrames(4))), all);
  expect(merged).toHaveLength(4);
  held.forEach((revision, index) => {
    expect(merged[index]).toBe(revision);
  });
});

test("the same list again is the held one", () => {
  const held = mergeRevisions([], toRevisions(exampleHistory(steadyFrames(3))), all);
  expect(mergeRevisions(held, toRevisions(exampleHistory(steadyFrames(3))), all)).toBe(held);
});
