import { expect, test } from "vitest";
import { findWindowProblem, toEventId } from "./own-window.ts";

const draft = { label: "Plains", id: undefined, start: "2024-02-28T00:00", end: "2024-02-28T05:00" };

test.each([
  ["Plains hail, 28 Feb 2024", "plains-hail-28-feb-2024"],
  ["  Cañón City — hail ", "canon-city-hail"],
  ["-x-", "x"],
  ["!!!", ""],
  ["a".repeat(63) + " b", "a".repeat(63)],
])("the label %j gives the id %j", (label, id) => {
  expect(toEventId(label)).toBe(id);
});

test("a whole window has no problem, and each part that is missing or wrong is named", () => {
  expect(findWindowProblem(draft)).toBeUndefined();
  expect(findWindowProblem({ ...draft, label: " " })).toContain("label");
  expect(findWindowProblem({ ...draft, label: "!!!" })).toContain("ID");
  expect(findWindowProblem({ ...draft, id: "Not An Id" })).toContain("ID");
  expect(findWindowProblem({ ...draft, start: "" })).toContain("start");
  expect(findWindowProblem({ ...draft, end: "" })).toContain("end");
  expect(findWindowProblem({ ...draft, end: draft.start })).toContain("after the start");
  expect(findWindowProblem({ ...draft, end: "2024-03-28T05:00" })).toContain("seven days");
});
