import { expect, test } from "vitest";
import { findWindowProblem, toEventId, toRegistration } from "./own-window-draft.ts";

const draft = { label: "Plains", id: undefined, start: "2024-02-28 00:00", end: "2024-02-28 05:00" };

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
  expect(findWindowProblem({ ...draft, end: "2024-03-28T05:00Z" })).toContain("seven days");
});

test("what is typed means UTC, and a day that the calendar does not have is none", () => {
  expect(toRegistration({ ...draft, end: " 2024-02-28T05:00Z " })).toEqual({
    id: "plains",
    label: "Plains",
    startedAt: "2024-02-28T00:00:00.000Z",
    endedAt: "2024-02-28T05:00:00.000Z",
  });
  for (const start of ["2024-02-28 0000Z", "2024-02-28 00:00 UTC", "2024-02-28T00:00z"])
    expect(toRegistration({ ...draft, start }).startedAt).toBe("2024-02-28T00:00:00.000Z");
  for (const start of [
    "2024-02-28 000Z",
    "2024-02-30 00:00",
    "2024-2-28 00:00",
    "2024-02-28",
    "2024-02-28 24:30",
    "28.02.2024 00:00",
  ])
    expect(findWindowProblem({ ...draft, start })).toContain("start");
});
