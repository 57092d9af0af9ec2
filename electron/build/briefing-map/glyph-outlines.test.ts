import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { loadOutlineFont } from "./glyph-outlines.ts";

const { resolve } = createRequire(import.meta.url);
const font = await loadOutlineFont(resolve("@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff"));

test("a letter is its advance and its outline with y down, without empty lines", () => {
  expect(font.unitsPerEm).toBe(1000);
  expect(font.findGlyph("-")).toEqual([321, "M285 -222L37 -222L37 -314L285 -314L285 -222Z"]);
  expect(font.findGlyph("1")?.[1]).toContain("Q267 -499 267.5 -520.5Q268 -542 269 -562.5");
  expect(font.findGlyph(" ")).toEqual([260, ""]);
});

test("a composite letter has the outlines of all its parts", () => {
  const contours = (character: string): number => font.findGlyph(character)![1].split("Z").length - 1;
  expect(contours("i")).toBe(2);
  expect(contours("ï")).toBe(3);
});

test("a character that the font lacks has no glyph", () => {
  expect(font.findGlyph("嵐")).toBeUndefined();
});
