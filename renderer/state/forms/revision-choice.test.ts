import { describe, expect, test } from "vitest";
import { chooseRevisions, findBaseProblem, mostPages, type HeldRevisions } from "./revision-choice.ts";

const held: HeldRevisions = {
  held: Array.from({ length: 32 }, (_, index) => index + 1),
  latest: 32,
  shown: 31,
};
const own = (text: string, revisions = held): ReturnType<typeof chooseRevisions> =>
  chooseRevisions({ way: "own", text }, revisions);

describe("the revisions of a briefing", () => {
  test("are the host's choice by default", () => {
    expect(chooseRevisions({ way: "newest", text: "" }, held)).toEqual({ sequences: undefined, pages: 12 });
    expect(chooseRevisions({ way: "newest", text: "" }, { ...held, held: [1, 2] })).toMatchObject({
      pages: 2,
    });
  });

  test("are all that are held, or the one on screen", () => {
    expect(chooseRevisions({ way: "all", text: "" }, held)).toEqual({ sequences: held.held, pages: 32 });
    expect(chooseRevisions({ way: "shown", text: "" }, held)).toEqual({ sequences: [31], pages: 1 });
    expect(chooseRevisions({ way: "shown", text: "" }, { ...held, shown: undefined })).toHaveProperty(
      "problem",
    );
  });

  test("are none for an event without one", () => {
    for (const way of ["newest", "all", "shown", "own"] as const)
      expect(chooseRevisions({ way, text: "1" }, { held: [], latest: 0, shown: undefined })).toHaveProperty(
        "problem",
      );
  });

  test.each([
    ["3", [3]],
    [" 3, 7-9 ", [3, 7, 8, 9]],
    ["7–9 3", [3, 7, 8, 9]],
    ["7 - 9;8,8", [7, 8, 9]],
    ["32", [32]],
  ])("are what %j says", (text, sequences) => {
    expect(own(text)).toEqual({ sequences, pages: sequences.length });
  });

  test.each([
    ["", /first/],
    [",", /first/],
    ["a", /“a”/],
    ["3.5", /“3.5”/],
    ["1e1", /“1e1”/],
    ["-4", /“-4”/],
    ["9-7", /“9-7”/],
    ["0", /“0”/],
    ["30-33", /newest revision is 32/],
    ["99999999999999999999", /number/],
  ])("are invalid as %j, and the message says why", (text, sentence) => {
    expect(own(text)).toEqual({ problem: expect.stringMatching(sentence) as string });
  });

  test("are at most as many as a briefing may have", () => {
    const many = { ...held, latest: 400_000_000 };
    expect(own(`1-${mostPages}`, many)).toMatchObject({ pages: mostPages });
    expect(own(`1-${mostPages + 1}`, many)).toHaveProperty("problem", expect.stringContaining("500"));
    expect(own(`1-300 301-600`, many)).toHaveProperty("problem", expect.stringContaining("500"));
    expect(own(`1-399999999`, many)).toHaveProperty("problem", expect.stringContaining("500"));
  });
});

test("a briefing is published under a web address or under none", () => {
  for (const text of ["", "  ", "https://brief.example/storms/", "http://127.0.0.1:8000/"])
    expect(findBaseProblem(text)).toBeUndefined();
  for (const text of ["brief.example", "ftp://brief.example/", "https://"])
    expect(findBaseProblem(text)).toBeDefined();
});
