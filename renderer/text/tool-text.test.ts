import { expect, test } from "vitest";
import { destination } from "../../shared/geo/sphere.ts";
import { toArrival, toPositionAhead, toStormMotion } from "../../shared/geo/storm-motion.ts";
import {
  arrivalWords,
  bearingWords,
  compassWords,
  lengthsWords,
  lengthWords,
  motionWords,
  otherMotionWords,
  spokenMotion,
} from "./tool-text.ts";

const startMs = Date.UTC(2026, 4, 20, 21, 24, 39);
const start = [-97.6, 35.18] as const;
const motion = toStormMotion(
  { coordinate: start, observedMs: startMs },
  { coordinate: destination(start, 80, 28 * (1.852 / 6)), observedMs: startMs + 600_000 },
)!;

test("lengths come in three units, with a tenth only where the sphere is that exact", () => {
  expect(lengthsWords(20, "mi")).toEqual(["12.4 mi", "10.8 nmi", "20.0 km"]);
  expect(lengthWords(100, "km")).toBe("100 km");
  expect(lengthWords(0.9, "mi")).toBe("less than 1 mi");
});

test("directions have three digits and a name of sixteen", () => {
  expect([0, 4.6, 80.05, 359.7].map(bearingWords)).toEqual(["000°", "005°", "080°", "000°"]);
  expect([0, 67, 80, 191, 349].map(compassWords)).toEqual([
    "north",
    "east-northeast",
    "east",
    "south",
    "north",
  ]);
});

test("a motion is told in knots, miles and kilometers, toward where it goes", () => {
  expect(motionWords(motion)).toBe("28 kt toward 080°");
  expect(spokenMotion(motion)).toBe("28 knots toward 080 degrees");
  expect(otherMotionWords(motion)).toBe("32 mph · 52 km/h · toward the east");
});

test("an arrival is a span of minutes, with the side on which the line passes", () => {
  const at = toPositionAhead(motion, 50 * 60_000);
  const north = destination(at, motion.towardDeg - 90, 1.7);
  expect(arrivalWords(toArrival(motion, north), "mi")).toEqual({
    when: "22:15–22:34 UTC",
    how: "passes about 1 mi south of it",
  });
  expect(arrivalWords(toArrival(motion, at), "km").how).toBe("passes less than 1 km from it");
  const beside = destination(at, motion.towardDeg + 90, 40);
  expect(arrivalWords(toArrival(motion, beside), "mi").how).toBe(
    "passes about 25 mi north of it, outside the fan",
  );
  expect(arrivalWords(toArrival(motion, [-99, 35]), "mi")).toEqual({ when: undefined, how: "has passed it" });
});
