// A rotating thunderstorm in composite reflectivity: core, forward flank, anvil, and a hook around a weak-echo notch.
// In storm coordinates, u points downshear and v to its left; a left mover is the mirror image.
import { addEcho, falloff, NO_ECHO, paintEcho, paintHail } from "./echo-field.ts";
import type { EchoField, RowPainter, Storm, Weather } from "./echo-field.ts";
import { positionAt, smoothStep, strengthAt } from "./storm-lifecycle.ts";
import type { Lifecycle, Track } from "./storm-lifecycle.ts";
import { sampleTile, tileAt } from "./noise.ts";
import { columnX } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";

export interface SupercellDraft {
  readonly track: Track;
  readonly life: Lifecycle;
  /** Echo of the core, in dBZ, at full strength. */
  readonly peakDbz: number;
  /** Largest hail at full strength. */
  readonly hailMm: number;
  /** Lifecycle of the hook; undefined for a storm without one. */
  readonly hook?: Lifecycle;
  readonly rotation: "cyclonic" | "anticyclonic";
  /** Scale relative to an average storm. */
  readonly size: number;
  /** Length of the anvil at minute 0, and the greatest. */
  readonly anvilKm: readonly [atStart: number, most: number];
  /** A place in the noise for each storm, so that no two look alike. */
  readonly noiseKm: Position;
}

/** Direction of the shear vector, and the speed of the anvil relative to the storm. */
const DOWNSHEAR = { x: Math.sin((66 * Math.PI) / 180), n: Math.cos((66 * Math.PI) / 180) };
const ANVIL_KM_PER_MINUTE = 1.7;

interface Moment {
  readonly center: Position;
  readonly strength: number;
  readonly hook: number;
  readonly peakDbz: number;
  readonly anvilKm: number;
}

export function createSupercell(draft: SupercellDraft): Storm {
  return {
    paint(field, weather) {
      const strength = strengthAt(draft.life, weather.timeMin);
      if (strength <= 0) return;
      const moment = toMoment(draft, weather.timeMin, strength);
      paintEcho(field, toBox(draft, moment), createRowPainter(draft, moment, weather));
      paintHailCore(field, draft, moment);
    },
  };
}

function toMoment(draft: SupercellDraft, timeMin: number, strength: number): Moment {
  const spread = draft.anvilKm[0] + ANVIL_KM_PER_MINUTE * timeMin;
  return {
    center: positionAt(draft.track, timeMin),
    strength,
    hook: draft.hook ? strengthAt(draft.hook, timeMin) : 0,
    // Half of the strength rains already; an updraft in its prime gains or loses only the last few dBZ.
    peakDbz: 18 + (draft.peakDbz - 18) * Math.sqrt(strength),
    anvilKm: Math.min(draft.anvilKm[1], Math.max(8, spread)),
  };
}

function toBox({ size }: SupercellDraft, { center, anvilKm }: Moment): BoxKm {
  const behind = 34 * size;
  const ahead = (anvilKm * 1.4 + 45) * size;
  return [
    center.x - behind,
    center.n - behind,
    center.x + ahead,
    center.n + Math.max(40 * size, ahead * 0.85),
  ];
}

function createRowPainter(draft: SupercellDraft, moment: Moment, weather: Weather): RowPainter {
  const { center, strength, hook, peakDbz, anvilKm } = moment;
  const { broad, texture } = weather;
  const { noiseKm, size } = draft;
  const side = draft.rotation === "cyclonic" ? 1 : -1;
  const flank = peakDbz - 12;
  const anvil = 12 + 16 * Math.sqrt(strength);
  return (n, row, columnStart, columnEnd) => {
    const north = n - center.n;
    for (let column = columnStart; column < columnEnd; column++) {
      const east = columnX(column) - center.x;
      const downwind = (east * DOWNSHEAR.x + north * DOWNSHEAR.n) / size;
      const across = ((north * DOWNSHEAR.x - east * DOWNSHEAR.n) * side) / size;
      if (downwind < -30 || across < -30 - 0.45 * downwind || across > 36 + 0.75 * downwind) continue;
      const nx = east + noiseKm.x;
      const ny = north + noiseKm.n;
      const wide = tileAt(broad, nx, ny);
      const rough = tileAt(texture, nx, ny);
      // The outline is torn into long streaks far from the core and only frayed near it.
      const reach = smoothStep(8, 60, downwind);
      const u = downwind + rough * 1.1 + wide * (1 + 9 * reach);
      const v =
        across +
        tileAt(texture, nx + 211, ny + 97) * 1.1 +
        tileAt(broad, nx + 233, ny + 151) * (0.8 + 7 * reach) +
        rough * 2 * reach;
      let echo = coreEcho(u, v, peakDbz) + rough * 1.6;
      echo = addEcho(echo, flankEcho(u, v, flank) + rough * 3 + wide);
      if (hook > 0 && u * u + v * v < 600) {
        echo -= hook * notchDepth(u, v);
        echo = addEcho(echo, hookEcho(u, v, hook, peakDbz - 13) + rough * 1.8);
      }
      const streak = sampleTile(texture, downwind * 0.3 + noiseKm.x, across * 1.3 + noiseKm.n);
      row[column] = addEcho(echo, anvilEcho(u, v, anvil, anvilKm) + streak * 1.7 + wide * 1.5);
    }
  };
}

/** Returns the core: steep on the inflow side (v < 0) and at the rear, long downshear. */
function coreEcho(u: number, v: number, peakDbz: number): number {
  const along = u / (u > 0 ? 10 : 5);
  const across = v / (v > 0 ? 7 : 3.8);
  const squared = along * along + across * across;
  return squared > 16 ? NO_ECHO : peakDbz - 12 * falloff(squared);
}

/** Returns rain and small hail carried downshear: a teardrop, sharp on its inflow side. */
function flankEcho(u: number, v: number, crestDbz: number): number {
  if (u < -14 || u > 90) return NO_ECHO;
  const ahead = u > 0 ? u : 0;
  const behind = u < 0 ? u / 5 : 0;
  const from = v - 1.5 - 0.1 * ahead;
  const across = from / (from > 0 ? 6.5 + 0.3 * ahead : 3.2 + 0.1 * ahead);
  return crestDbz - 0.27 * ahead - 0.004 * ahead * ahead - 10 * behind * behind - 9 * across * across;
}

/** Returns ice blown ahead of the storm: broad, weak and smooth, with a sharp rear edge. */
function anvilEcho(u: number, v: number, crestDbz: number, lengthKm: number): number {
  const ahead = u > 0 ? u : 0;
  const along = ahead / lengthKm;
  const behind = u < 0 ? u / 9 : 0;
  const from = v - 0.12 * ahead;
  const across = from / (from > 0 ? 13 + 0.34 * ahead : 8 + 0.2 * ahead);
  return crestDbz - 14 * along * along - 9 * behind * behind - 8 * across * across;
}

const MESOCYCLONE = { u: -1.5, v: -7.5 };
const HOOK_RADIUS_KM = 4.2;
/** The start of the hook at the core and its greatest curl, in radians counterclockwise from u. */
const HOOK_FROM = 1.3;
const HOOK_SWEEP = 4.1;

/** Returns the hook: a band that curls around the mesocyclone from the rear of the core. */
function hookEcho(u: number, v: number, grown: number, crestDbz: number): number {
  const du = u - MESOCYCLONE.u;
  const dv = v - MESOCYCLONE.v;
  const distance = Math.hypot(du, dv);
  if (distance > 12) return NO_ECHO;
  const turn = Math.atan2(dv, du) - HOOK_FROM;
  const along = (turn < 0 ? turn + 2 * Math.PI : turn) / HOOK_SWEEP;
  const end = Math.max(0, along - grown);
  const share = Math.min(along, grown);
  const from = (distance - HOOK_RADIUS_KM * (1.15 - 0.35 * share)) / (2.3 - 0.9 * share);
  return crestDbz - 6 * share - 8 * from * from - 900 * end * end;
}

/** Returns the dB that the weak-echo region and the inflow notch subtract. */
function notchDepth(u: number, v: number): number {
  const du = u - MESOCYCLONE.u - 1.2;
  const dv = v - MESOCYCLONE.v - 0.3;
  const inside = (du * du + dv * dv) / 11;
  const ahead = ((du - 6) * (du - 6)) / 40 + ((dv + 1.5) * (dv + 1.5)) / 12;
  return 30 * Math.exp(-inside) + 22 * Math.exp(-ahead);
}

function paintHailCore(field: EchoField, draft: SupercellDraft, { center, strength }: Moment): void {
  if (draft.hailMm <= 0 || strength < 0.2) return;
  // Hail falls on the downshear side of the updraft, away from the hook.
  const place = { x: center.x + 2 * draft.size, n: center.n + 2.5 * draft.size };
  paintHail(field, place, 11 * draft.size, draft.hailMm * strength * strength);
}
