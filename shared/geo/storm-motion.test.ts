import { expect, test } from "vitest";
import { bearingDeg, destination, distanceKm, kmPerMile, kmPerNauticalMile } from "./sphere.ts";
import {
  toArrival,
  toFan,
  toHalfWidthKm,
  toPositionAhead,
  toStormMotion,
  type StormMotion,
} from "./storm-motion.ts";

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 4, 20, 21, 24);
const start = [-97.6, 35.18] as const;
/** From `geod +a=6371008.8 +b=6371008.8`: 10 minutes at 28 knots, that is 8,642.667 m, toward 80 degrees. */
const tenLater = [-97.506334, 35.193461] as const;

function moving(minutes = 10): StormMotion {
  return toStormMotion(
    { coordinate: start, observedMs: startMs },
    { coordinate: tenLater, observedMs: startMs + minutes * minuteMs },
  )!;
}

test("speed and direction are those of the two positions, in whichever order they are given", () => {
  const motion = moving();
  expect(motion.kmPerHour / kmPerNauticalMile).toBeCloseTo(28, 3);
  expect(motion.towardDeg).toBeCloseTo(80.05, 2);
  expect(toStormMotion(motion.last, motion.first)).toEqual(motion);
});

test("one time, or positions closer than a cell, give no motion", () => {
  const observedMs = startMs;
  expect(
    toStormMotion({ coordinate: start, observedMs }, { coordinate: tenLater, observedMs }),
  ).toBeUndefined();
  expect(
    toStormMotion(
      { coordinate: start, observedMs },
      { coordinate: destination(start, 80, 0.9), observedMs: observedMs + minuteMs },
    ),
  ).toBeUndefined();
});

test("the line goes on at the same speed along the same great circle", () => {
  const motion = moving();
  const at = toPositionAhead(motion, 30 * minuteMs);
  expect(distanceKm(start, at)).toBeCloseTo(4 * 8.642667, 3);
  expect(bearingDeg(start, at)).toBeCloseTo(bearingDeg(start, tenLater), 6);
});

test("the fan widens by its rule, and is its half-width from the line", () => {
  const motion = moving();
  expect(toHalfWidthKm(motion, 0)).toBe(1);
  expect(toHalfWidthKm(motion, 50 * minuteMs)).toBeCloseTo(Math.hypot(6, 5), 9);
  // At 180 km/h a tenth of the way is more.
  const fast = toStormMotion(motion.first, { ...motion.last, coordinate: destination(start, 80, 30) })!;
  expect(toHalfWidthKm(fast, 50 * minuteMs)).toBeCloseTo(15, 6);
  const ring = toFan(motion, 20 * minuteMs);
  expect(ring[0]).toEqual(ring.at(-1));
  const end = toPositionAhead(motion, 20 * minuteMs);
  const middle = (ring.length - 1) / 2;
  for (const corner of [ring[middle - 1]!, ring[middle]!]) {
    expect(distanceKm(end, corner)).toBeCloseTo(Math.hypot(3, 2), 6);
  }
});

test("arrival is a window around the nearest pass, with the side on which the line passes", () => {
  const motion = moving();
  const at = toPositionAhead(motion, 50 * minuteMs);
  const north = destination(at, motion.towardDeg - 90, kmPerMile);
  const arrival = toArrival(motion, north);
  if (arrival.kind !== "window") throw new Error(arrival.kind);
  expect(arrival.missKm).toBeCloseTo(kmPerMile, 2);
  expect(arrival.missDeg).toBeCloseTo(170.5, 0);
  expect(arrival.isInFan).toBe(true);
  // 7.81 km of half-width at 51.856 km/h are 9 min 2 s around 22:24.
  expect(new Date(arrival.fromMs).toISOString()).toBe("2026-05-20T22:14:00.000Z");
  expect(new Date(arrival.toMs).toISOString()).toBe("2026-05-20T22:34:00.000Z");
});

test("a place behind, beyond the fan, or hours away is told apart", () => {
  const motion = moving();
  expect(toArrival(motion, destination(start, 260, 20)).kind).toBe("behind");
  expect(toArrival(motion, toPositionAhead(motion, 181 * minuteMs)).kind).toBe("too-far");
  const beside = destination(toPositionAhead(motion, 20 * minuteMs), motion.towardDeg + 90, 15);
  expect(toArrival(motion, beside)).toMatchObject({ kind: "window", isInFan: false });
});
