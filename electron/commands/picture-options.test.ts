import { describe, expect, test } from "vitest";
import { parseCommandLine } from "./echotop.ts";
import { parseLayers } from "./layer-option.ts";
import { UsageError } from "./option-values.ts";
import { parseSize, parseView } from "./picture-options.ts";

test.each([
  ["256x180", { widthPx: 256, heightPx: 180 }],
  ["7680X4320", { widthPx: 7680, heightPx: 4320 }],
])("%s is a size", (text, size) => {
  expect(parseSize(text)).toEqual(size);
});

test.each(["", "1280", "255x180", "256x179", "7681x4320", "7680x4321", "1280x-720", "1280x720x2", "1e3x720"])(
  "%j is not a size",
  (text) => {
    expect(() => parseSize(text)).toThrow(UsageError);
  },
);

test.each([
  ["-97.4,35.2,7", { longitude: -97.4, latitude: 35.2, zoom: 7 }],
  [" 180, -85, 0 ", { longitude: 180, latitude: -85, zoom: 0 }],
  ["+1.5,-0,18", { longitude: 1.5, latitude: -0, zoom: 18 }],
])("%j is a view", (text, view) => {
  expect(parseView(text)).toEqual(view);
});

test.each([
  "",
  "1,2",
  "1,2,3,4",
  "181,0,5",
  "0,86,5",
  "0,0,-1",
  "0,0,19",
  "a,b,c",
  "--1,0,5",
  "1,,5",
  "NaN,0,5",
])("%j is not a view", (text) => {
  expect(() => parseView(text)).toThrow(UsageError);
});

test("layers come in the order of drawing, and unknown ones are refused", () => {
  expect(parseLayers("mrms-mesh,mrms-reflectivity")).toEqual(["mrms-reflectivity", "mrms-mesh"]);
  expect(parseLayers(" mrms-mesh ")).toEqual(["mrms-mesh"]);
  expect(() => parseLayers("mrms-mesh,rain")).toThrow(UsageError);
  expect(() => parseLayers("")).toThrow(UsageError);
});

describe("a wrong export", () => {
  const whole = ["export", "plains", "--format", "png", "--out", "a.png"];

  test("is refused before anything is read", () => {
    expect(() => parseCommandLine(whole)).not.toThrow();
    for (const wrong of [
      [...whole, "--size", "10x10"],
      [...whole, "--view", "0,0"],
      [...whole, "--layers", "rain"],
      [...whole, "--palette", "gray"],
      [...whole, "--speed", "3"],
      [...whole, "--revisions", "3-1"],
      ["export", "plains", "--format", "bmp", "--out", "a.bmp"],
      ["export", "plains", "--out", "a.png"],
      ["export", "plains", "--format", "png"],
    ]) {
      expect(() => parseCommandLine(wrong), wrong.join(" ")).toThrow(UsageError);
    }
  });
});
