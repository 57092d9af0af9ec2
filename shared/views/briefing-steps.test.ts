import { describe, expect, test } from "vitest";
import { BriefingSteps, noSteps, stepLimits, StepNotes, StepTitle } from "./briefing-steps.ts";

const view = { format: "echotop-view", version: 1 };

function stepOf(id: string, facts: object = {}): object {
  return { id, title: "Hail core over Norman", notes: "", view, ...facts };
}

function documentOf(steps: readonly object[], facts: object = {}): object {
  return { ...noSteps("storm"), steps, ...facts };
}

describe("the steps of a briefing", () => {
  test("are parsed as they were written", () => {
    const document = documentOf([stepOf("b", { notes: "First\n\tthen 2 in." }), stepOf("a")]);
    expect(BriefingSteps.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  });

  test.each([
    ["another format", documentOf([], { format: "echotop-view" })],
    ["a later version", documentOf([], { version: 2 })],
    ["a malformed event", documentOf([], { eventId: "../storm" })],
    ["an unknown key", documentOf([], { script: "x" })],
    ["an unknown key of a step", documentOf([stepOf("a", { onload: "x" })])],
    ["two steps of one id", documentOf([stepOf("a"), stepOf("a")])],
    ["an id that is no name", documentOf([stepOf("a/b")])],
    ["too many steps", documentOf(Array.from({ length: stepLimits.steps + 1 }, (_, at) => stepOf(`s${at}`)))],
    ["a step without a view", documentOf([stepOf("a", { view: undefined })])],
  ])("are refused with %s", (_what, document) => {
    expect(BriefingSteps.safeParse(document).success).toBe(false);
  });

  test("are refused beyond 512 KiB of UTF-8", () => {
    const long = Array.from({ length: 66 }, (_, at) => stepOf(`s${at}`, { notes: "\u2603".repeat(2_600) }));
    expect(BriefingSteps.safeParse(documentOf(long)).success).toBe(true);
    const longer = [...long, stepOf("last", { notes: "\u2603".repeat(2_600) })];
    expect(BriefingSteps.safeParse(documentOf(longer)).error?.issues[0]?.message).toMatch(/512 KiB/);
  });
});

test.each(["Hail", "50 % <b>hail</b> & “wind”", "x".repeat(120), "雹"])("%j is a title", (title) => {
  expect(StepTitle.safeParse(title).success).toBe(true);
});

test.each(["", " \t", "two\nlines", "nul\0", "turned \u202e text", "half \ud83c", "x".repeat(121)])(
  "%j is not a title",
  (title) => {
    expect(StepTitle.safeParse(title).success).toBe(false);
  },
);

test.each(["\0", "\r", "\u2028", "\u2066", "x".repeat(4_001)])("%j is not a note", (notes) => {
  expect(StepNotes.safeParse(notes).success).toBe(false);
});
