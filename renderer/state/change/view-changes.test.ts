import { expect, test, vi } from "vitest";
import type { Difference } from "../../../shared/analysis/difference.ts";
import type { DifferenceRequest } from "../../frames/analysis-messages.ts";
import { exampleStore, type ExampleFrame } from "../../support/example-data.ts";
import { followViewChanges } from "./view-changes.ts";

/** Revision 3 corrects the first window, 4 completes the second, 5 corrects the first again. */
const frames: readonly ExampleFrame[] = [
  { sequence: 1, minute: 0 },
  { sequence: 2, minute: 2, only: "mrms-reflectivity" },
  { sequence: 3, minute: 0, variant: "b" },
  { sequence: 4, minute: 2 },
  { sequence: 5, minute: 0, variant: "c" },
];

function differenceOf(up: number, kept: number): Difference {
  const cells = { up, down: 0, appeared: 0, vanished: 0 };
  return { cells, kept, uncovered: 0, biggestRise: undefined };
}

test("keeps corrections that altered the view, and completions that draw in it", async () => {
  const store = exampleStore(frames);
  const asked: DifferenceRequest[] = [];
  const stop = followViewChanges(store, {
    measureDifference: (request) => {
      asked.push(request);
      const isCompletion =
        request.before === request.after || request.before.imageUrl === request.after.imageUrl;
      if (isCompletion) return Promise.resolve(differenceOf(0, 12));
      return Promise.resolve(differenceOf(request.after.imageUrl.includes("-c") ? 7 : 0, 100));
    },
  });
  store.getState().receiveView({ center: [-95, 41], zoom: 6, bounds: [-98, 38, -92, 44] });
  expect(asked).toEqual([]);
  store.getState().setOnlyViewChanges(true);
  await vi.waitFor(() => {
    expect(store.getState().viewChanges).toEqual(new Set([4, 5]));
  });
  expect(asked.every(({ within }) => within?.[0] === -98)).toBe(true);

  const count = asked.length;
  store.getState().receiveView({ center: [0, 0], zoom: 6, bounds: [-3, -3, 3, 3] });
  await vi.waitFor(() => {
    expect(store.getState().viewChanges).toEqual(new Set());
  });
  expect(asked).toHaveLength(count);
  stop();
});
