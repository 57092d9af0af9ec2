// A squall line: cells along its leading edge, a gap behind them, and a wide area of stratiform rain. It is painted
// row by row, relative to the leading edge.
import { addEcho, paintEcho } from "./echo-field.ts";
import type { RowPainter, Storm, Weather } from "./echo-field.ts";
import { positionAt, smoothStep, strengthAt } from "./storm-lifecycle.ts";
import type { Lifecycle, Track } from "./storm-lifecycle.ts";
import { sampleTile, tileAt } from "./noise.ts";
import { paintPulse, pulseLife, trackFrom } from "./pulse.ts";
import type { Pulse } from "./pulse.ts";
import { createRandom } from "./random.ts";
import { columnX } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";

export interface SquallLineDraft {
  readonly seed: number;
  /** The middle of the leading edge. */
  readonly track: Track;
  readonly life: Lifecycle;
  readonly halfLengthKm: number;
  /** Kilometers east for each one north. */
  readonly slant: number;
  /** Distance of the bow ahead of the ends of the line, at full strength. */
  readonly bowKm: number;
  readonly peakDbz: number;
  readonly hailMm: number;
  /** Depth of the stratiform rain behind the line. */
  readonly stratiformKm: number;
  readonly noiseKm: Position;
}

const ANVIL_KM = 70;
/** Cells per hour and km of the line. */
const CELLS_PER_KM = 0.62;
/** Speed of the cells relative to the edge, behind which they fall. */
const CELL_SPEED_SHARE = 0.8;

export function createSquallLine(draft: SquallLineDraft): Storm {
  const cells = scatterCells(draft);
  return {
    paint(field, weather) {
      const strength = strengthAt(draft.life, weather.timeMin);
      if (strength <= 0) return;
      const center = positionAt(draft.track, weather.timeMin);
      paintEcho(field, toBox(draft, center), createRowPainter(draft, center, strength, weather));
      for (const cell of cells) paintPulse(field, cell, weather);
    },
  };
}

/** Returns the leading edge, in km east of the middle of the line, at `along` km north of it. */
function edgeShape({ halfLengthKm, slant, bowKm }: SquallLineDraft, along: number): number {
  const share = along / halfLengthKm;
  const bow = bowKm * Math.exp(-((share + 0.25) * (share + 0.25)) / 0.12);
  const bulge = bowKm * 0.55 * Math.exp(-((share - 0.5) * (share - 0.5)) / 0.03);
  return slant * along + bow + bulge;
}

function scatterCells(draft: SquallLineDraft): Pulse[] {
  const random = createRandom(draft.seed);
  const between = (least: number, most: number): number => least + (most - least) * random();
  const count = Math.round(draft.halfLengthKm * 2 * CELLS_PER_KM);
  return Array.from({ length: count }, () => {
    const birthMin = between(-30, 58);
    const along = between(-1, 0.97) * draft.halfLengthKm;
    const middle = positionAt(draft.track, birthMin);
    const vigor = random() * (1 - 0.35 * smoothStep(0.3, 1, Math.abs(along / draft.halfLengthKm)));
    const birthplace = {
      x: middle.x + edgeShape(draft, along) + between(-2, 4),
      n: middle.n + along,
    };
    const { velocity } = draft.track;
    return {
      track: trackFrom(birthplace, birthMin, { x: velocity.x * CELL_SPEED_SHARE, n: velocity.n + 0.1 }),
      life: pulseLife(birthMin, between(16, 30)),
      peakDbz: 42 + (draft.peakDbz - 42) * Math.sqrt(vigor),
      hailMm: vigor > 0.5 ? draft.hailMm * vigor : 0,
      radiusKm: between(1.8, 3.6) + 1.8 * vigor,
      stretch: between(0.55, 1),
      debris: "none" as const,
      noiseKm: { x: between(0, 512), n: between(0, 512) },
    };
  });
}

function toBox({ halfLengthKm, slant, bowKm, stratiformKm }: SquallLineDraft, { x, n }: Position): BoxKm {
  const lean = Math.abs(slant) * halfLengthKm;
  return [
    x - lean - stratiformKm * 1.6,
    n - halfLengthKm - 60,
    x + lean + bowKm + ANVIL_KM * 1.4,
    n + halfLengthKm + 60,
  ];
}

function createRowPainter(
  draft: SquallLineDraft,
  center: Position,
  strength: number,
  weather: Weather,
): RowPainter {
  const { halfLengthKm, noiseKm, stratiformKm } = draft;
  const { broad, texture } = weather;
  const straight = 1 / Math.hypot(1, draft.slant);
  const peak = 20 + (draft.peakDbz - 34) * strength;
  const rainCrest = 18 + 16 * strength;
  return (n, row, columnStart, columnEnd) => {
    const along = n - center.n;
    const ny = along + noiseKm.n;
    const front = center.x + edgeShape(draft, along) + 3 * sampleTile(broad, noiseKm.x, ny);
    const crest = peak + segmentStrength(along, noiseKm, weather);
    const depthKm = stratiformKm * rainShare(along / halfLengthKm);
    for (let column = columnStart; column < columnEnd; column++) {
      const x = columnX(column);
      const behind = (front - x) * straight;
      if (behind > stratiformKm * 1.5 || behind < -ANVIL_KM * 1.4) continue;
      const nx = x - center.x + noiseKm.x;
      const wide = tileAt(broad, nx, ny);
      const wide2 = tileAt(broad, nx + 160, ny + 205);
      const rough = tileAt(texture, nx, ny);
      const beyond = Math.max(0, Math.abs(along + 13 * wide2 + 3 * rough) - halfLengthKm * 0.86) / 20;
      const taper = 7 * beyond * beyond;
      let echo =
        stratiformEcho(behind + 12 * wide + 3 * rough, depthKm * (1 + 0.2 * wide2), rainCrest) +
        wide * 2.6 +
        wide2 * 2 +
        rough * 1.9 -
        taper;
      if (behind > -14 && behind < 36) {
        const rough2 = tileAt(texture, nx * 1.9 + 133, ny * 1.9);
        const band = convectiveEcho(behind + 2.5 * rough, crest) + rough * 3 + rough2 * 2.6;
        echo = addEcho(echo, band - 2 * taper);
      }
      if (behind <= 12) {
        const streak = sampleTile(broad, nx * 0.5, ny * 2.2) + 0.5 * sampleTile(texture, nx * 0.35, ny * 1.4);
        echo = addEcho(echo, leadingAnvil(behind, streak, strength) + rough - taper);
      }
      row[column] = echo;
    }
  };
}

/** Returns the variation along the band in dB: stronger stretches and breaks. */
function segmentStrength(along: number, noiseKm: Position, { broad, texture }: Weather): number {
  const stretch = sampleTile(broad, noiseKm.x + 300, along * 1.4 + noiseKm.n);
  const cells = sampleTile(texture, noiseKm.x + 400, along * 0.8 + noiseKm.n);
  return Math.min(3, 4 * stretch) + 2.4 * cells;
}

/** Returns the convective band, sharp ahead and some 15 km deep. `behind` is the distance to the leading edge. */
function convectiveEcho(behind: number, crestDbz: number): number {
  const from = behind - 4;
  return from < 0 ? crestDbz - 1.2 * from * from : crestDbz - 1.5 * from + 0.7 * Math.sqrt(from);
}

/** Returns the depth of the rain along the line, deepest behind the northern half. */
function rainShare(share: number): number {
  return 0.5 + 0.5 * smoothStep(-0.8, 0.55, share);
}

/** Returns the band of steady rain, with a gap toward the line and a long fading rear. */
function stratiformEcho(behind: number, depthKm: number, crestDbz: number): number {
  const from = behind - depthKm * 0.5;
  const share = from / (from < 0 ? depthKm * 0.46 : depthKm * 0.62);
  return crestDbz - 10 * share * share;
}

function leadingAnvil(behind: number, streak: number, strength: number): number {
  const ahead = Math.max(0, -behind);
  const share = ahead / (ANVIL_KM * Math.max(0.25, 0.6 + 0.17 * streak));
  return 12 + 11 * strength - 13 * share * share + 1.2 * streak;
}
