import { expect, test } from "vitest";
import { exampleStore, steadyFrames } from "../../support/example-data.ts";
import { findArrival } from "./arrival-note.tsx";

const corrected = [...steadyFrames(3), { sequence: 4, minute: 0, variant: "b" }, { sequence: 5, minute: 6 }];

test("what arrived in a pane is counted, with its newest correction", () => {
  const { getState } = exampleStore(corrected);
  expect(findArrival(getState(), 3)).toMatchObject({ count: 2, correction: { sequence: 4 } });
  expect(findArrival(getState(), 4)).toEqual({ count: 1, correction: undefined });
  expect(findArrival(getState(), 5)).toBeUndefined();
});

test("nothing that arrived is told while the pane shows what was known earlier", () => {
  const { getState } = exampleStore(corrected);
  getState().setKnownAt(3);
  expect(findArrival(getState(), 3)).toBeUndefined();
  getState().backToNow();
  expect(findArrival(getState(), 3)).toMatchObject({ count: 2 });
});
