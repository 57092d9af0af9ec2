import { expect, test } from "vitest";
import { publicationsOf } from "../../../state/timeline/revisions.ts";
import { exampleStore, type ExampleFrame } from "../../../support/example-data.ts";
import { layOutObserved } from "../geometry/observed-layout.ts";
import { toWhole } from "../geometry/timeline-part.ts";
import { columnKind, toKnownColumns } from "./observed-facts.ts";

/** The first window is corrected twice; hail completes the second. */
const frames: readonly ExampleFrame[] = [
  { sequence: 1, minute: 0 },
  { sequence: 2, minute: 2, only: "mrms-reflectivity" },
  { sequence: 3, minute: 2 },
  { sequence: 4, minute: 0, variant: "b" },
  { sequence: 5, minute: 0, variant: "c" },
];
const { all } = exampleStore(frames).getState().history;
const { columns } = layOutObserved({
  revisions: all,
  publishedMs: all.map(() => undefined),
  part: toWhole(all, "observed"),
  widthPx: 900,
});

function factsAt(known: number): unknown[] {
  const history = { all, publications: publicationsOf(all), known, publishedMs: [], kept: undefined };
  return toKnownColumns(columns, known).map((column) => [
    columnKind(column, history),
    column.newest,
    column.superseded,
  ]);
}

test("a column wears its newest known revision, the newest superseded one first", () => {
  expect(factsAt(5)).toEqual([
    ["tl-correction", 4, [3, 0]],
    ["tl-completion", 2, [1]],
  ]);
});

test("what is not known leaves no mark on a column", () => {
  expect(factsAt(2)).toEqual([
    ["tl-new", 0, []],
    ["tl-new", 1, []],
  ]);
  expect(factsAt(1)).toEqual([
    ["tl-new", 0, []],
    ["tl-hidden", undefined, []],
  ]);
});
