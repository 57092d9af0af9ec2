import { describe, expect, test } from "vitest";
import type { ProbeAnswer } from "../map/scene.ts";
import { riseWords, thresholdLabels, toChangeLegend, toChangeReading } from "./change-text.ts";

function classOf(from: number, to: number | undefined, unit = "dBZ"): ProbeAnswer {
  return { kind: "class", from, to, unit, color: "#000000", hidden: false, withinKm: undefined };
}

const nothing: ProbeAnswer = { kind: "below-first", firstEdge: 5, unit: "dBZ" };
const outside: ProbeAnswer = { kind: "outside-coverage" };

describe("a difference of two readings", () => {
  test.each([
    [classOf(10.5, 11), classOf(28, 28.5), "up by 17–18 dBZ"],
    [classOf(28, 28.5), classOf(10.5, 11), "down by 17–18 dBZ"],
    [classOf(10.5, 11), classOf(11, 11.5), "up by 0–1 dBZ"],
    [classOf(10.5, 11), classOf(80, undefined), "up by 69 dBZ or more"],
    [classOf(10, 10.5), classOf(10, 10.5), "same class"],
    [classOf(25.4, 26.19375, "mm"), classOf(38.1, 38.89375, "mm"), "up by 0.47–0.53 in"],
    [nothing, classOf(28, 28.5), "appeared"],
    [classOf(28, 28.5), nothing, "vanished"],
    [outside, classOf(28, 28.5), "coverage changed"],
    [nothing, outside, "coverage changed"],
  ])("is as exact as the classes allow", (before, after, words) => {
    expect(toChangeReading(before, after, "in")?.words).toBe(words);
  });

  test("needs two readings that tell something", () => {
    expect(toChangeReading(nothing, nothing, "in")).toBeUndefined();
    expect(toChangeReading({ kind: "loading" }, classOf(28, 28.5), "in")).toBeUndefined();
    expect(toChangeReading(outside, outside, "in")).toBeUndefined();
  });
});

test("the biggest rise names both classes, or that there was none before", () => {
  const rise = {
    classes: 35,
    to: { lower: 28, upper: 28.5 },
    coordinate: [-97.42, 35.04] as [number, number],
  };
  expect(riseWords({ ...rise, from: { lower: 10.5, upper: 11 } }, "dBZ", "in")).toBe("10.5–11 → 28–28.5 dBZ");
  expect(riseWords({ ...rise, from: undefined }, "dBZ", "in")).toBe("nothing → 28–28.5 dBZ");
});

test("hail has its steps and thresholds in the preferred unit", () => {
  expect(thresholdLabels("mm", "in")).toEqual(["1/32", "⅛", "¼"]);
  expect(thresholdLabels("mm", "mm")).toEqual(["0.8", "3.2", "6.4"]);
  expect(toChangeLegend("mm", "in").map(({ label }) => label)).toEqual(["<¼", "¼–½", "½+"]);
  expect(toChangeLegend("dBZ", "in").at(-1)?.name).toBe("10 dBZ or more");
});
