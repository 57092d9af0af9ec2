import { describe, expect, test } from "vitest";
import { BriefingSteps, noSteps, stepLimits, StepNotes, StepTitle } from "./briefing-steps.ts";
import { exampleView } from "./support/any-view.ts";
import { stepOf, stepsOf } from "./support/example-steps.ts";

const documentOf = (...steps: readonly object[]): object => ({ ...noSteps("storm"), steps });

describe("the steps of a briefing", () => {
  test("are parsed as they were written", () => {
    const document = documentOf(stepOf("b", { notes: "First\n\tthen 2 in." }), stepOf("a"));
    expect(BriefingSteps.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  });

  test.each([
    ["another format", { ...documentOf(), format: "echotop-view" }],
    ["a later version", { ...documentOf(), version: 2 }],
    ["a malformed event", { ...documentOf(), eventId: "../storm" }],
    ["an unknown key", { ...documentOf(), script: "x" }],
    ["an unknown key of a step", documentOf({ ...stepOf("a"), onload: "x" })],
    ["an unknown key of a view", documentOf({ ...stepOf("a"), view: { ...exampleView, task: "x" } })],
    ["two steps of one id", stepsOf("storm", "a", "a")],
    ["an id that is no name", stepsOf("storm", "a/b")],
    [
      "too many steps",
      stepsOf("storm", ...Array.from({ length: stepLimits.steps + 1 }, (_, at) => `s${at}`)),
    ],
    ["a step without a view", documentOf({ id: "a", title: "A", notes: "" })],
  ])("are refused with %s", (_what, document) => {
    expect(BriefingSteps.safeParse(document).success).toBe(false);
  });

  test("fill 512 KiB of UTF-8, and are refused with one byte more", () => {
    const steps = Array.from({ length: 80 }, (_, at) => stepOf(`s${at}`, { notes: "\u2603".repeat(1_500) }));
    const missing = stepLimits.documentBytes - Buffer.byteLength(JSON.stringify(documentOf(...steps)));
    const padded = (count: number): object => {
      const [perStep, rest] = [Math.floor(count / steps.length), count % steps.length];
      return documentOf(
        ...steps.map((step, at) => ({
          ...step,
          notes: step.notes + "x".repeat(perStep + (at < rest ? 1 : 0)),
        })),
      );
    };
    expect(BriefingSteps.safeParse(padded(missing)).success).toBe(true);
    const refused = BriefingSteps.safeParse(padded(missing + 1));
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      "The steps must not exceed 512 KiB together",
    ]);
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
