// Strength and position of storms as smooth functions of time, in minutes since the start of the event.
import type { Position } from "./region.ts";

/** Returns 0 below `from`, 1 above `to`, and a smooth transition between them. */
export function smoothStep(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

export interface Lifecycle {
  readonly birthMin: number;
  /** Start of full strength. */
  readonly matureMin: number;
  /** End of full strength. */
  readonly decayMin: number;
  readonly deathMin: number;
}

/** Returns the strength, 0 to 1. */
export function strengthAt({ birthMin, matureMin, decayMin, deathMin }: Lifecycle, timeMin: number): number {
  return smoothStep(birthMin, matureMin, timeMin) * (1 - smoothStep(decayMin, deathMin, timeMin));
}

/** Kilometers per minute, east and north. */
export interface Velocity {
  readonly x: number;
  readonly n: number;
}

/** Returns a velocity. `bearingDeg` is the direction of motion, clockwise from north. */
export function toVelocity(speedMetersPerSecond: number, bearingDeg: number): Velocity {
  const kmPerMinute = speedMetersPerSecond * 0.06;
  const angle = (bearingDeg * Math.PI) / 180;
  return { x: kmPerMinute * Math.sin(angle), n: kmPerMinute * Math.cos(angle) };
}

export interface Track {
  /** The position at minute 0. */
  readonly start: Position;
  readonly velocity: Velocity;
  /** A change of motion, spread over `durationMin`. */
  readonly turn?: { readonly fromMin: number; readonly durationMin: number; readonly velocity: Velocity };
}

export function positionAt({ start, velocity, turn }: Track, timeMin: number): Position {
  const straight = { x: start.x + velocity.x * timeMin, n: start.n + velocity.n * timeMin };
  if (!turn) return straight;
  const turned = turnedMinutes(timeMin - turn.fromMin, turn.durationMin);
  return {
    x: straight.x + (turn.velocity.x - velocity.x) * turned,
    n: straight.n + (turn.velocity.n - velocity.n) * turned,
  };
}

/** Returns the integral of the smooth step from 0 to 1 over `durationMin`. */
function turnedMinutes(sinceMin: number, durationMin: number): number {
  if (sinceMin <= 0) return 0;
  if (sinceMin >= durationMin) return sinceMin - durationMin / 2;
  const share = sinceMin / durationMin;
  return durationMin * share * share * share * (1 - share / 2);
}
