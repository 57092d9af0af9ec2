import { expect, test } from "vitest";
import type { WatchRule } from "../state/watch/watch-rule.ts";
import type { StormTold } from "../state/watch/watch-slice.ts";
import { readingWords, ruleWords, sizeWords, toldWords, type ReadFacts } from "./watch-text.ts";

const at = Date.parse("2026-05-20T21:34:00Z");
const hail = { lower: 2.125 * 25.4, upper: 2.15625 * 25.4 };

const facts: ReadFacts = {
  nature: "live",
  layers: [
    {
      layer: "mrms-mesh",
      highest: { range: hail, place: "9 miles northeast of Norman" },
      isCovered: true,
    },
  ],
  observedMs: at,
  nowMs: at + 3 * 60_000,
  isNewest: true,
  isLive: true,
  knownAt: undefined,
  hailUnits: "in",
};

test("the storm in view is read with size, place and age", () => {
  expect(readingWords(facts)).toBe(
    "Largest hail estimate in view 2 to 2½ inches, 9 miles northeast of Norman, newest frame 3 minutes old",
  );
});

test("reading is honest about nothing, the past, made-up storms and coverage", () => {
  const none = { layer: "mrms-mesh", highest: undefined, isCovered: true } as const;
  const echo = {
    layer: "mrms-reflectivity",
    highest: { range: { lower: 54, upper: 54.5 }, place: undefined },
    isCovered: true,
  } as const;
  expect(readingWords({ ...facts, layers: [none] })).toBe(
    "No hail estimate in view, newest frame 3 minutes old",
  );
  expect(readingWords({ ...facts, layers: [none, echo] })).toBe(
    "No hail estimate in view. Highest reflectivity in view 54 to 54.5 dBZ, newest frame 3 minutes old",
  );
  expect(readingWords({ ...facts, layers: [{ ...none, isCovered: false }] })).toBe(
    "The view is outside radar coverage, newest frame 3 minutes old",
  );
  expect(readingWords({ ...facts, isNewest: false })).toMatch(/, observed 21:34 UTC, not the newest frame$/);
  expect(readingWords({ ...facts, knownAt: "21:46:10 UTC" })).toMatch(
    /, observed 21:34, as known at 21:46:10 UTC$/,
  );
  expect(readingWords({ ...facts, nature: "synthetic", isLive: false })).toMatch(
    /^Made-up storm: Largest hail/,
  );
  expect(readingWords({ ...facts, layers: [] })).toBe(
    "This frame cannot be read, newest frame 3 minutes old",
  );
});

test("a storm is told with its delay of publication", () => {
  const storm: Omit<StormTold, "publishedMs"> = {
    ...{ ruleId: "one", range: hail, place: "at Norman", observedMs: at },
    layer: "mrms-mesh",
    nature: "live",
  };
  expect(toldWords({ ...storm, publishedMs: at + 3 * 60_000 }, "in")).toBe(
    "Hail of 2 to 2½ inches, at Norman, observed 21:34 UTC, published 3 min later",
  );
  expect(toldWords({ ...storm, publishedMs: undefined, nature: "synthetic" }, "mm")).toBe(
    "Made-up storm: Hail of 50.8 to 63.5 millimeters, at Norman, observed 21:34 UTC",
  );
});

test("rules and sizes are named as forecasters say them", () => {
  const near: WatchRule = {
    ...{ id: "one", isOn: true, lower: 25.4, notice: true, sound: true, speech: true, quiet: null },
    layer: "mrms-mesh",
    area: { kind: "near", label: "Norman", coordinate: [-97.4, 35.2], withinKm: 48.28032 },
  };
  expect(ruleWords(near, "in", "mi")).toBe("Hail of 1 in or larger within 30 mi of Norman");
  expect(ruleWords(near, "mm", "km")).toBe("Hail of 25.4 mm or larger within 48 km of Norman");
  const view: WatchRule = { ...near, layer: "mrms-reflectivity", lower: 60, area: { kind: "view" } };
  expect(ruleWords(view, "in", "mi")).toBe("Reflectivity of 60 dBZ or more in view");
  expect(sizeWords("mrms-mesh", { lower: 4 * 25.4, upper: undefined }, "in")).toBe("4 inches or more");
});
