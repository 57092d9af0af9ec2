// The two products of one observation in the form of MRMS: tenths of a unit, in its steps, with its flags.
import { mesh } from "../../../shared/products/mesh.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import type { Product } from "../../../shared/products/product.ts";
import { createCoverage } from "./demo-coverage.ts";
import { clearField, createEchoField } from "./echo-field.ts";
import type { EchoField, Weather } from "./echo-field.ts";
import { paintSpike } from "./interference.ts";
import type { Spike } from "./interference.ts";
import { createEvolvingTile, createSpeckle, TILE_SIZE } from "./noise.ts";
import type { Tile } from "./noise.ts";
import { region } from "./region.ts";
import { createStorms } from "./demo-storms.ts";

/** Tenths of the product's unit for each cell of the region, row-major, north row first. */
export interface ObservedFields {
  readonly reflectivity: Int16Array;
  readonly mesh: Int16Array;
}

export interface Observer {
  /** Returns the fields at a time in minutes after the start, always the same for the same time. */
  observe(timeMin: number, spike?: Spike): ObservedFields;
}

const SPECKLE_SIDE = TILE_SIZE - 1;
const SEED = 20_260_520;
/** The weakest echo; cells below it are "missing", that is, without echo. */
const WEAKEST_DBZ = -4;
/** The weakest echo that its speckle can raise above `WEAKEST_DBZ`. */
const FAINTEST_DBZ = WEAKEST_DBZ - 4;
const STRONGEST_DBZ = 68.5;
/** The least echo with hail, and the rise above it to full size. */
const HAIL_FROM_DBZ = 50;
const HAIL_FULL_DB = 16;
/** The smallest size in MRMS. */
const SMALLEST_HAIL_MM = 0.8;

/** Creates an observer with its noise and storms. It reuses its buffers from call to call. */
export function createObserver(): Observer {
  const broad = createEvolvingTile({ seed: SEED, wavelengthsKm: [128, 64, 32, 16], gain: 0.55 }, 110);
  const texture = createEvolvingTile({ seed: SEED + 1, wavelengthsKm: [32, 16, 8, 4], gain: 0.72 }, 32);
  const speckle = createSpeckle(SEED + 2);
  const covered = createCoverage();
  const blankReflectivity = toBlank(reflectivity, covered);
  const blankMesh = toBlank(mesh, covered);
  const storms = createStorms();
  const field = createEchoField();
  return {
    observe(timeMin, spike) {
      const weather: Weather = { timeMin, broad: broad.at(timeMin), texture: texture.at(timeMin) };
      clearField(field);
      for (const storm of storms) storm.paint(field, weather);
      const hail = toMesh(field, blankMesh);
      if (spike) paintSpike(field, spike, speckle);
      return { reflectivity: toReflectivity(field, blankReflectivity, speckle, timeMin), mesh: hail };
    },
  };
}

/** Returns a field without storms: the flag "missing" in covered cells, "no coverage" in the others. */
function toBlank({ flags }: Product, covered: Uint8Array): Int16Array {
  const blank = new Int16Array(covered.length).fill(flags.noCoverage * 10);
  for (let cell = 0; cell < blank.length; cell++) {
    if (covered[cell] === 1) blank[cell] = flags.missing * 10;
  }
  return blank;
}

function toReflectivity({ dbz }: EchoField, blank: Int16Array, speckle: Tile, timeMin: number): Int16Array {
  const { columns, rows } = region;
  const out = blank.slice();
  const missing = reflectivity.flags.missing * 10;
  // Every volume scan has its own speckle.
  const shift = Math.imul(Math.round(timeMin * 60) + 1, 2_654_435_761) >>> 0;
  for (let row = 0; row < rows; row++) {
    const first = row * columns;
    const speckleRow = ((row + (shift >>> 20)) & SPECKLE_SIDE) * TILE_SIZE;
    for (let column = 0; column < columns; column++) {
      const echo = dbz[first + column]!;
      if (echo < FAINTEST_DBZ || blank[first + column] !== missing) continue;
      const seen = echo + 1.1 * speckle[speckleRow + ((column + shift) & SPECKLE_SIDE)]!;
      if (seen < WEAKEST_DBZ) continue;
      // MRMS has half-dBZ steps.
      out[first + column] = (seen < STRONGEST_DBZ ? Math.floor(seen * 2 + 0.5) : STRONGEST_DBZ * 2) * 5;
    }
  }
  return out;
}

function toMesh({ dbz, hailMm }: EchoField, blank: Int16Array): Int16Array {
  const out = blank.slice();
  const missing = mesh.flags.missing * 10;
  for (let cell = 0; cell < out.length; cell++) {
    if (hailMm[cell]! <= 0 || dbz[cell]! <= HAIL_FROM_DBZ || blank[cell] !== missing) continue;
    const share = Math.min(1.1, (dbz[cell]! - HAIL_FROM_DBZ) / HAIL_FULL_DB);
    const size = hailMm[cell]! * Math.pow(share, 1.3);
    if (size >= SMALLEST_HAIL_MM) out[cell] = Math.round(size * 10);
  }
  return out;
}
