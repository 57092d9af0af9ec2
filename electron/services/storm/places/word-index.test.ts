import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWordIndex, typingDistance } from "./word-index.ts";

const texts = [["oak park", "oakpark"], ["oakland"], ["park city"], ["oak"]];
const index = createWordIndex(texts.length, (entry) => texts[entry]!);

function entriesOf(prefix: string): number[] {
  const entries: number[] = [];
  index.visitPrefix(prefix, (entry) => entries.push(entry));
  return entries.sort();
}

describe("word index", () => {
  test.each([
    ["oak", [0, 0, 1, 3]],
    ["oakl", [1]],
    ["park", [0, 2]],
    ["p", [0, 2]],
    ["z", []],
    ["\uffff", []],
  ])("prefix %j is in entries %j", (prefix, expected) => {
    expect(entriesOf(prefix)).toEqual(expected);
    expect(index.hasPrefix(prefix)).toBe(expected.length > 0);
  });

  test("sorts similar words by distance, then by their best entry", () => {
    expect(index.findSimilar("paak", 5)).toEqual(["park"]);
    expect(index.findSimilar("oka", 5)).toEqual(["oak", "oakpark", "oakland"]);
    expect(index.findSimilar("oka", 1)).toEqual(["oak"]);
    expect(index.findSimilar("x", 5)).toEqual([]);
  });
});

describe("typing distance", () => {
  test.each([
    ["dallsa", "dallas", 1],
    ["dalas", "dallas", 1],
    ["dalllas", "dallas", 1],
    ["dablas", "dallas", 1],
    ["dalals", "dallastown", 2],
    ["dalas", "dallastown", 2],
    ["dlaals", "dallas", undefined],
    ["", "a", 1],
    ["b", "a", 1],
    ["abcd", "ab", undefined],
  ])("from %j to %j is %s", (token, word, expected) => {
    expect(typingDistance(token, word)).toBe(expected);
  });

  test("one random edit is always found", () => {
    const word = fc.stringMatching(/^[a-d]{3,8}$/);
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom("insert", "remove", "replace", "swap"),
        (text, seed, edit) => {
          const at = seed % text.length;
          const letters = Array.from(text);
          if (edit === "insert") letters.splice(at, 0, "e");
          if (edit === "remove") letters.splice(at, 1);
          if (edit === "replace") letters[at] = "e";
          if (edit === "swap" && at + 1 < letters.length)
            [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!];
          const token = letters.join("");
          if (text.startsWith(token)) return;
          expect(typingDistance(token, text)).toBe(1);
        },
      ),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
