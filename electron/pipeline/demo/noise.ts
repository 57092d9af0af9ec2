// Seeded noise that tiles: square tables that change with time by blending into each other. Gradient noise after Ken
// Perlin (1985, 2002), summed over octaves.
import { createRandom } from "./random.ts";

const SIZE_BITS = 8;
/** Cells of a side; a tile repeats after this many kilometers. */
export const TILE_SIZE = 1 << SIZE_BITS;
const MASK = TILE_SIZE - 1;

/** TILE_SIZE squared values, row-major, mean 0 and standard deviation 1. */
export type Tile = Float32Array;

/** A tile that changes slowly and never repeats. */
export interface EvolvingTile {
  /** Returns the tile at a time, in minutes. The next call reuses the array. */
  at(timeMin: number): Tile;
}

export interface NoiseDraft {
  readonly seed: number;
  /** Wavelengths in kilometers, each a divisor of TILE_SIZE, largest first. */
  readonly wavelengthsKm: readonly number[];
  /** Amplitude of an octave relative to the previous one. */
  readonly gain: number;
}

export function createTile({ seed, wavelengthsKm, gain }: NoiseDraft): Tile {
  const tile = new Float32Array(TILE_SIZE * TILE_SIZE);
  wavelengthsKm.forEach((wavelength, octave) => {
    addOctave(tile, TILE_SIZE / wavelength, gain ** octave, createRandom(seed + octave * 7919));
  });
  return standardize(tile);
}

/** Creates a tile of independent values, for the speckle of single cells. */
export function createSpeckle(seed: number): Tile {
  const random = createRandom(seed);
  const tile = new Float32Array(TILE_SIZE * TILE_SIZE);
  // The sum of three uniform numbers is close enough to a bell curve.
  for (let at = 0; at < tile.length; at++) tile[at] = random() + random() + random();
  return standardize(tile);
}

/** Creates a tile that blends between two independent ones; after `turnMin` minutes little of the first is left. */
export function createEvolvingTile(draft: NoiseDraft, turnMin: number): EvolvingTile {
  const first = createTile(draft);
  const second = createTile({ ...draft, seed: draft.seed + 104_729 });
  const mixed = new Float32Array(first.length);
  return {
    at(timeMin) {
      const angle = (timeMin / turnMin) * (Math.PI / 2);
      const cosine = Math.cos(angle);
      const sine = Math.sin(angle);
      for (let at = 0; at < mixed.length; at++) mixed[at] = cosine * first[at]! + sine * second[at]!;
      return mixed;
    },
  };
}

/** A whole number of tiles, added so that cells west and south of the origin are positive. */
const ORIGIN = TILE_SIZE * 16;

/** Returns the tile's value in the cell of a point in kilometers. */
export function tileAt(tile: Tile, x: number, y: number): number {
  return tile[(((y + ORIGIN) & MASK) << SIZE_BITS) | ((x + ORIGIN) & MASK)]!;
}

/** Interpolates between cells, for places where the tile is stretched. */
export function sampleTile(tile: Tile, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const x0 = left & MASK;
  const x1 = (left + 1) & MASK;
  const row0 = (top & MASK) << SIZE_BITS;
  const row1 = ((top + 1) & MASK) << SIZE_BITS;
  const upper = tile[row0 | x0]! * (1 - fx) + tile[row0 | x1]! * fx;
  const lower = tile[row1 | x0]! * (1 - fx) + tile[row1 | x1]! * fx;
  return upper * (1 - fy) + lower * fy;
}

function addOctave(tile: Tile, periods: number, amplitude: number, random: () => number): void {
  const gradients = new Float32Array(periods * periods * 2);
  for (let at = 0; at < gradients.length; at += 2) {
    const angle = random() * 2 * Math.PI;
    gradients[at] = Math.cos(angle);
    gradients[at + 1] = Math.sin(angle);
  }
  const step = periods / TILE_SIZE;
  for (let row = 0, at = 0; row < TILE_SIZE; row++) {
    const y = Math.floor(row * step);
    const fy = row * step - y;
    const blendY = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    const upper = y * periods;
    const lower = ((y + 1) % periods) * periods;
    for (let column = 0; column < TILE_SIZE; column++, at++) {
      const x = Math.floor(column * step);
      const fx = column * step - x;
      const blendX = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
      const next = (x + 1) % periods;
      const upperLeft = slope(gradients, upper + x, fx, fy);
      const upperRight = slope(gradients, upper + next, fx - 1, fy);
      const lowerLeft = slope(gradients, lower + x, fx, fy - 1);
      const lowerRight = slope(gradients, lower + next, fx - 1, fy - 1);
      const top = upperLeft + (upperRight - upperLeft) * blendX;
      const bottom = lowerLeft + (lowerRight - lowerLeft) * blendX;
      tile[at] = tile[at]! + amplitude * (top + (bottom - top) * blendY);
    }
  }
}

function slope(gradients: Float32Array, node: number, dx: number, dy: number): number {
  return gradients[node * 2]! * dx + gradients[node * 2 + 1]! * dy;
}

function standardize(tile: Tile): Tile {
  let sum = 0;
  let squares = 0;
  for (const value of tile) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / tile.length;
  const deviation = Math.sqrt(squares / tile.length - mean * mean);
  for (let at = 0; at < tile.length; at++) tile[at] = (tile[at]! - mean) / deviation;
  return tile;
}
