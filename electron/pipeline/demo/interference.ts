// An interference spike: the trace of another transmitter on a radar's frequency. It runs outward along a few beams.
// Its echo grows with range, because the receiver corrects the steady signal for distance.
import { radarPosition } from "./demo-coverage.ts";
import { paintEcho } from "./echo-field.ts";
import type { EchoField } from "./echo-field.ts";
import { sampleTile } from "./noise.ts";
import type { Tile } from "./noise.ts";
import { columnX } from "./region.ts";
import type { BoxKm, Position } from "./region.ts";

const FROM_KM = 14;
const TO_KM = 226;
const BEAM_DEG = 1;

export interface Spike {
  readonly callSign: string;
  /** Azimuth of the first beam, clockwise from north; no beam may cross north. */
  readonly azimuthDeg: number;
  /** Echo of each beam at 100 km, in dBZ. */
  readonly beamsDbz: readonly number[];
}

/** Adds the spike to a field. */
export function paintSpike(field: EchoField, { callSign, azimuthDeg, beamsDbz }: Spike, speckle: Tile): void {
  const center = radarPosition(callSign);
  const { x, n } = center;
  paintEcho(field, toBox(center, azimuthDeg, beamsDbz.length), (rowNorth, row, columnStart, columnEnd) => {
    const north = rowNorth - n;
    for (let column = columnStart; column < columnEnd; column++) {
      const east = columnX(column) - x;
      const bearingDeg = (Math.atan2(east, north) * 180) / Math.PI;
      const beam = Math.floor((((bearingDeg + 360) % 360) - azimuthDeg) / BEAM_DEG);
      const atHundredKm = beamsDbz[beam];
      const range = Math.hypot(east, north);
      if (atHundredKm === undefined || range < FROM_KM || range > TO_KM) continue;
      // The noise of the receiver is the same across a beam.
      const flutter = sampleTile(speckle, range * 0.7, beam * 37);
      row[column] = atHundredKm + 20 * Math.log10(range / 100) + 1.5 * flutter;
    }
  });
}

/** Returns the box around the beams, whose outer arc is nearly straight. */
function toBox({ x, n }: Position, azimuthDeg: number, beams: number): BoxKm {
  const angles = [azimuthDeg, azimuthDeg + beams * BEAM_DEG].map((degrees) => (degrees * Math.PI) / 180);
  const eastern = [x, ...angles.map((angle) => x + TO_KM * Math.sin(angle))];
  const northern = [n, ...angles.map((angle) => n + TO_KM * Math.cos(angle))];
  const margin = 1;
  return [
    Math.min(...eastern) - margin,
    Math.min(...northern) - margin,
    Math.max(...eastern) + margin,
    Math.max(...northern) + margin,
  ];
}
