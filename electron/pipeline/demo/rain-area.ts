// Rain that outlives its storms: a wide, weakening area with stronger spots and torn edges.
import { paintEcho } from "./echo-field.ts";
import type { RowPainter, Storm, Weather } from "./echo-field.ts";
import { positionAt, strengthAt } from "./storm-lifecycle.ts";
import type { Lifecycle, Track } from "./storm-lifecycle.ts";
import { tileAt } from "./noise.ts";
import { columnX } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";

export interface RainAreaDraft {
  readonly track: Track;
  readonly life: Lifecycle;
  /** Half axes, along and across `axisDeg` (clockwise from north). */
  readonly halfAxesKm: readonly [along: number, across: number];
  readonly axisDeg: number;
  readonly crestDbz: number;
  /** Variation of the echo within the area, in dB. */
  readonly contrastDb: number;
  readonly noiseKm: Position;
}

export function createRainArea(draft: RainAreaDraft): Storm {
  const reachKm = Math.max(...draft.halfAxesKm) * 1.5;
  return {
    paint(field, weather) {
      const strength = strengthAt(draft.life, weather.timeMin);
      if (strength <= 0) return;
      const center = positionAt(draft.track, weather.timeMin);
      const { x, n } = center;
      const box: BoxKm = [x - reachKm, n - reachKm, x + reachKm, n + reachKm];
      paintEcho(field, box, createRowPainter(draft, center, strength, weather));
    },
  };
}

/** The edge of the area, in half axes, squared. */
const REACH = 3;

function createRowPainter(
  { halfAxesKm, axisDeg, crestDbz, contrastDb, noiseKm }: RainAreaDraft,
  center: Position,
  strength: number,
  { broad, texture }: Weather,
): RowPainter {
  const sine = Math.sin((axisDeg * Math.PI) / 180);
  const cosine = Math.cos((axisDeg * Math.PI) / 180);
  const crest = crestDbz * (0.4 + 0.6 * strength);
  return (n, row, columnStart, columnEnd) => {
    const north = n - center.n;
    for (let column = columnStart; column < columnEnd; column++) {
      const east = columnX(column) - center.x;
      const along = (east * sine + north * cosine) / halfAxesKm[0];
      const across = (east * cosine - north * sine) / halfAxesKm[1];
      if (along * along + across * across > REACH) continue;
      const nx = east + noiseKm.x;
      const ny = north + noiseKm.n;
      const wide = tileAt(broad, nx, ny);
      const wide2 = tileAt(broad, nx + 190, ny + 77);
      const rough = tileAt(texture, nx, ny);
      const warpedAlong = along + wide * 0.22 + rough * 0.05;
      const warpedAcross = across + wide2 * 0.22;
      const out = warpedAlong * warpedAlong + warpedAcross * warpedAcross;
      row[column] = crest + contrastDb * (0.8 * wide2 + 0.45 * rough) - 17 * out * Math.sqrt(out);
    }
  };
}
