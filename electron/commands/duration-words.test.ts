import { expect, test } from "vitest";
import { durationWords } from "./duration-words.ts";

test.each([
  [0, "under a second"],
  [999, "under a second"],
  [3400, "about 3 s"],
  [60_000, "about 1 min"],
  [3_725_000, "about 1 h 2 min"],
  [7_200_000, "about 2 h"],
  [90_061_000, "about 1 d 1 h"],
  [86_400_000 + 120_000, "about 1 d"],
])("%d milliseconds are shown as %s", (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
