// One updraft of an ordinary thunderstorm: a small core that rains out in half an hour, and the debris that outlives
// it.
import { addEcho, falloff, NO_ECHO, paintEcho, paintHail } from "./echo-field.ts";
import type { EchoField, RowPainter, Weather } from "./echo-field.ts";
import { positionAt, strengthAt } from "./storm-lifecycle.ts";
import type { Lifecycle, Track, Velocity } from "./storm-lifecycle.ts";
import { tileAt } from "./noise.ts";
import { columnX } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";

export interface Pulse {
  readonly track: Track;
  readonly life: Lifecycle;
  readonly peakDbz: number;
  readonly hailMm: number;
  readonly radiusKm: number;
  /** Radius relative to the length along the motion: 1 is round, less is longer. */
  readonly stretch: number;
  /** Drifting ice and weak rain. */
  readonly debris: "spreading" | "none";
  /** A place in the noise for each pulse, so that no two look alike. */
  readonly noiseKm: Position;
}

/** Drift of the debris in the upper wind, in radii east and north. */
const DRIFT = { x: 1.6, n: 0.75 };
/** Lean of the cells along their motion, to the northeast. */
const LEAN = { x: 0.8, n: 0.6 };

export function paintPulse(field: EchoField, pulse: Pulse, weather: Weather): void {
  const strength = strengthAt(pulse.life, weather.timeMin);
  const debris = pulse.debris === "none" ? 0 : strengthAt(toDebrisLife(pulse.life), weather.timeMin);
  if (strength <= 0 && debris <= 0) return;
  const center = positionAt(pulse.track, weather.timeMin);
  paintEcho(
    field,
    toBox(pulse, center, debris),
    createRowPainter(pulse, center, { strength, debris }, weather),
  );
  if (pulse.hailMm > 0 && strength > 0.4) {
    paintHail(field, center, pulse.radiusKm * 2.2, pulse.hailMm * strength);
  }
}

/** Returns a track that passes the birthplace at the birth. */
export function trackFrom(birthplace: Position, birthMin: number, velocity: Velocity): Track {
  const start = { x: birthplace.x - velocity.x * birthMin, n: birthplace.n - velocity.n * birthMin };
  return { start, velocity };
}

/** Returns a lifecycle that grows fast, peaks briefly and decays slowly. */
export function pulseLife(birthMin: number, lastsMin: number): Lifecycle {
  return {
    birthMin,
    matureMin: birthMin + lastsMin * 0.35,
    decayMin: birthMin + lastsMin * 0.5,
    deathMin: birthMin + lastsMin,
  };
}

function toDebrisLife({ matureMin, decayMin, deathMin }: Lifecycle): Lifecycle {
  return { birthMin: matureMin - 4, matureMin: decayMin + 4, decayMin: deathMin, deathMin: deathMin + 18 };
}

function toBox({ radiusKm }: Pulse, { x, n }: Position, debris: number): BoxKm {
  const [west, south, east, north] = debris > 0 ? [4.5, 4, 7.5, 5.5] : [3.6, 3.2, 4, 3.6];
  return [x - radiusKm * west, n - radiusKm * south, x + radiusKm * east, n + radiusKm * north];
}

/** Edges of core and debris, in radii squared, beyond any tear of the outline. */
const CORE_REACH = 12;
const DEBRIS_REACH = 7;

function createRowPainter(
  { peakDbz, radiusKm, stretch, noiseKm }: Pulse,
  center: Position,
  { strength, debris }: { strength: number; debris: number },
  { texture, broad }: Weather,
): RowPainter {
  const core = strength > 0 ? 5 + (peakDbz - 5) * Math.sqrt(strength) : NO_ECHO;
  const ice = 2 + (peakDbz * 0.44 - 2) * debris;
  const coreReach = strength > 0 ? CORE_REACH * radiusKm * radiusKm : 0;
  return (n, row, columnStart, columnEnd) => {
    const north = n - center.n;
    for (let column = columnStart; column < columnEnd; column++) {
      const east = columnX(column) - center.x;
      if (east * east + north * north > coreReach) {
        if (debris <= 0) continue;
        const driftEast = east / radiusKm - DRIFT.x * debris;
        const driftNorth = north / radiusKm - DRIFT.n * debris;
        if (toSpread(driftEast, driftNorth) > DEBRIS_REACH) continue;
      }
      const nx = east * 1.6 + noiseKm.x;
      const ny = north * 1.6 + noiseKm.n;
      const rough = tileAt(texture, nx, ny);
      const warpedEast = (east + rough * 1.9) / radiusKm;
      const warpedNorth = (north + tileAt(texture, nx + 170, ny) * 1.7) / radiusKm;
      const along = (warpedEast * LEAN.x + warpedNorth * LEAN.n) * stretch;
      const across = warpedNorth * LEAN.x - warpedEast * LEAN.n;
      const rain = core - 11 * falloff(along * along + across * across) + rough * 2.4;
      if (debris <= 0) {
        row[column] = rain;
        continue;
      }
      const wide = tileAt(broad, east * 1.5 + noiseKm.x, north * 1.5 + noiseKm.n);
      const dx = warpedEast - DRIFT.x * debris + wide * 0.7;
      const dn = warpedNorth - DRIFT.n * debris - wide * 0.3;
      row[column] = addEcho(rain, ice - 11 * toSpread(dx, dn) + rough * 1.8);
    }
  };
}

/** Returns the squared distance from the middle of the debris, in half axes. */
function toSpread(dx: number, dn: number): number {
  const along = (dx * 0.85 + dn * 0.5) / 2.7;
  const across = (dn * 0.85 - dx * 0.5) / 1.7;
  return along * along + across * across;
}
