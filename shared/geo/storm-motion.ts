// Motion of a storm from two positions at two times, carried on along its great circle. A line, not a forecast.
import { bearingDeg, destination, distanceKm, toBeside, type Point } from "./sphere.ts";

export interface StormPosition {
  readonly coordinate: Point;
  readonly observedMs: number;
}

export interface StormMotion {
  /** The earlier and the later position. */
  readonly first: StormPosition;
  readonly last: StormPosition;
  readonly kmPerHour: number;
  /** Direction in which the storm leaves the later position. */
  readonly towardDeg: number;
}

/** Distance by which a position may be off, in any direction: a cell of the grid. */
export const positionErrorKm = 1;
/** Least half-width of the fan, as a share of the way from the later position. */
export const leastSpread = 0.1;
/** Farthest time ahead that the line is carried on. */
export const farthestMs = 3 * 3_600_000;

const hourMs = 3_600_000;

/** Returns undefined for positions of one time, and for ones closer than a cell, which have no direction. */
export function toStormMotion(one: StormPosition, other: StormPosition): StormMotion | undefined {
  const [first, last] = one.observedMs < other.observedMs ? [one, other] : [other, one];
  const km = distanceKm(first.coordinate, last.coordinate);
  const spanMs = last.observedMs - first.observedMs;
  if (spanMs === 0 || km < positionErrorKm) return undefined;
  return {
    first,
    last,
    kmPerHour: (km * hourMs) / spanMs,
    towardDeg: (bearingDeg(last.coordinate, first.coordinate) + 180) % 360,
  };
}

function kmAhead({ kmPerHour }: StormMotion, aheadMs: number): number {
  return (kmPerHour * aheadMs) / hourMs;
}

/** Returns the position of the line at a time after the later position. */
export function toPositionAhead(motion: StormMotion, aheadMs: number): [number, number] {
  return destination(motion.last.coordinate, motion.towardDeg, kmAhead(motion, aheadMs));
}

/**
 * Returns the half-width of the fan at a time after the later position, across the line as along it. Each of the two
 * positions may be off by `positionErrorKm`, independently. Carried on for `s` times the span between them, the later
 * one counts `1 + s` times and the earlier one `s` times: `positionErrorKm · √((1 + s)² + s²)`. Storms also turn
 * and change speed: the fan is never narrower than `leastSpread` of the way.
 */
export function toHalfWidthKm(motion: StormMotion, aheadMs: number): number {
  const spans = aheadMs / (motion.last.observedMs - motion.first.observedMs);
  const byPositions = positionErrorKm * Math.hypot(1 + spans, spans);
  return Math.max(byPositions, leastSpread * kmAhead(motion, aheadMs));
}

/** Returns the ring of the fan from the later position to a time after it, closed, in steps of two minutes. */
export function toFan(motion: StormMotion, untilMs: number): [number, number][] {
  const steps = Math.max(1, Math.ceil(untilMs / 120_000));
  const left: [number, number][] = [];
  const right: [number, number][] = [];
  for (let step = 0; step <= steps; step++) {
    const aheadMs = (untilMs * step) / steps;
    const at = toPositionAhead(motion, aheadMs);
    const halfKm = toHalfWidthKm(motion, aheadMs);
    left.push(destination(at, motion.towardDeg - 90, halfKm));
    right.push(destination(at, motion.towardDeg + 90, halfKm));
  }
  return [...left, ...right.toReversed(), left[0]!];
}

export type Arrival =
  /** The storm has passed the place by the later position. */
  | { readonly kind: "behind" }
  /** The line reaches the place later than `farthestMs`. */
  | { readonly kind: "too-far" }
  | {
      readonly kind: "window";
      readonly fromMs: number;
      readonly toMs: number;
      /** Least distance between the line and the place. */
      readonly missKm: number;
      /** Direction from the place to the line. */
      readonly missDeg: number;
      readonly isInFan: boolean;
    };

/**
 * Returns when the line passes nearest to a place, as a window: that time plus and minus the time in which the storm
 * goes the fan's half-width there, in whole minutes, rounded outward.
 */
export function toArrival(motion: StormMotion, place: Point): Arrival {
  const { alongKm, acrossKm } = toBeside(motion.last.coordinate, motion.towardDeg, place);
  const aheadMs = (alongKm / motion.kmPerHour) * hourMs;
  if (aheadMs < 0) return { kind: "behind" };
  if (aheadMs > farthestMs) return { kind: "too-far" };
  const halfKm = toHalfWidthKm(motion, aheadMs);
  const halfMs = (halfKm / motion.kmPerHour) * hourMs;
  const atMs = motion.last.observedMs + aheadMs;
  const minuteMs = 60_000;
  return {
    kind: "window",
    fromMs: Math.floor(Math.max(motion.last.observedMs, atMs - halfMs) / minuteMs) * minuteMs,
    toMs: Math.ceil((atMs + halfMs) / minuteMs) * minuteMs,
    missKm: Math.abs(acrossKm),
    missDeg: bearingDeg(place, toPositionAhead(motion, aheadMs)),
    isInFan: Math.abs(acrossKm) <= halfKm,
  };
}
