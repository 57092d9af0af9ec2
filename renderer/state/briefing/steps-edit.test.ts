import { describe, expect, test } from "vitest";
import { stepLimits } from "../../../shared/views/briefing-steps.ts";
import { stepOf } from "../../../shared/views/support/example-steps.ts";
import { addStep, changeStep, moveStep, removeStep } from "./steps-edit.ts";

const steps = ["a", "b", "c"].map((id) => stepOf(id));
const idsOf = (list: readonly { readonly id: string }[]): string => list.map(({ id }) => id).join("");

describe("a step is moved", () => {
  test.each([
    ["a", 1, "bac"],
    ["a", 2, "bca"],
    ["c", 0, "cab"],
    ["b", -1, "bac"],
    ["b", 9, "acb"],
  ])("%s to index %i", (id, index, order) => {
    expect(idsOf(moveStep(steps, id, index))).toBe(order);
  });

  test("nowhere if it is there already, or is unknown", () => {
    expect(moveStep(steps, "b", 1)).toBe(steps);
    expect(moveStep(steps, "x", 1)).toBe(steps);
  });
});

test("a step is added at the end until the list is full", () => {
  expect(idsOf(addStep(steps, stepOf("d")))).toBe("abcd");
  const full = Array.from({ length: stepLimits.steps }, (_, at) => stepOf(`s${at}`));
  expect(addStep(full, stepOf("more"))).toBe(full);
});

test("a step is changed or removed by its id", () => {
  expect(changeStep(steps, "b", { notes: "Two-inch line" })[1]).toEqual({
    ...steps[1],
    notes: "Two-inch line",
  });
  expect(idsOf(removeStep(steps, "b"))).toBe("ac");
});
