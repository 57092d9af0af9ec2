import { expect, test } from "vitest";
import { exampleStore, steadyFrames } from "../../../support/example-data.ts";
import { publicationsOf } from "../../../state/timeline/revisions.ts";
import { linksAt } from "./revision-arcs.tsx";

/** Sixteen windows, each corrected later; the first is corrected twice. */
const frames = [
  ...steadyFrames(16),
  ...Array.from({ length: 16 }, (_, index) => ({ sequence: 17 + index, minute: index * 2, variant: "b" })),
  { sequence: 33, minute: 0, variant: "c" },
];

test("arcs are drawn only from and to the revisions touched, however many corrections there are", () => {
  const publications = publicationsOf(exampleStore(frames).getState().history.revisions);
  expect(publications.filter(({ kind }) => kind === "correction")).toHaveLength(17);
  const at = (...touched: readonly number[]): unknown => linksAt(publications, new Set(touched));
  expect(at()).toEqual([]);
  expect(at(5)).toEqual([{ from: 5, to: 21 }]);
  expect(at(21)).toEqual([{ from: 5, to: 21 }]);
  expect(at(16)).toEqual([
    { from: 0, to: 16 },
    { from: 16, to: 32 },
  ]);
});
