// Composite reflectivity files on the whole CONUS grid for benchmarks: the real file if it is next to the project, else
// a seeded synthetic one; copies get other observation times.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encodeGrib2 } from "../../electron/pipeline/demo/grib2-writer.ts";
import { decodeField } from "../../electron/pipeline/grib2/decode-field.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";
import type { LatLonGrid } from "../../shared/geo/grid.ts";
import { projectRoot } from "../../electron/support/host-process.ts";
import { restamp } from "../support/restamp.ts";

const realFile = join(
  projectRoot,
  "../shared/mrms/conus/MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2",
);

export const conus: LatLonGrid = {
  columns: 7000,
  rows: 3500,
  westUdeg: -130_000_000,
  northUdeg: 55_000_000,
  spacingXUdeg: 10_000,
  spacingYUdeg: 10_000,
};

/** Returns round echoes in half-dBZ steps over a twentieth of the grid, without coverage in the north and the west. */
function makeField(): Int16Array {
  const tenths = new Int16Array(conus.columns * conus.rows).fill(-990);
  let state = 20_240_520;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let echo = 0; echo < 400; echo += 1) {
    const radius = 8 + Math.floor(random() * 60);
    const column = radius + Math.floor(random() * (conus.columns - 2 * radius));
    const row = radius + Math.floor(random() * (conus.rows - 2 * radius));
    const peak = 20 + random() * 45;
    for (let dy = -radius; dy <= radius; dy += 1) {
      for (let dx = -radius; dx <= radius; dx += 1) {
        const distance = Math.hypot(dx, dy) / radius;
        if (distance > 1) continue;
        const dbz = peak * (1 - distance) + random() * 6 - 3;
        tenths[(row + dy) * conus.columns + column + dx] = Math.round(dbz * 2) * 5;
      }
    }
  }
  for (let row = 0; row < conus.rows; row += 1) {
    tenths.fill(-9990, row * conus.columns, row * conus.columns + (row < 600 ? conus.columns : 500));
  }
  return tenths;
}

export interface ConusMessage {
  readonly message: Buffer;
  readonly source: "real file" | "synthetic file";
}

export function loadConusMessage(): ConusMessage {
  if (existsSync(realFile)) return { message: readFileSync(realFile), source: "real file" };
  return makeConusMessage();
}

export function makeConusMessage(): ConusMessage {
  return { message: encodeConus(makeField(), observedOf(0)), source: "synthetic file" };
}

function encodeConus(tenths: Int16Array, observedAt: string): Buffer {
  return Buffer.from(encodeGrib2({ identity: reflectivity.grib, observedAt, grid: conus, tenths }));
}

/** Returns observation times two minutes apart. */
function observedOf(window: number): string {
  return new Date(Date.UTC(2022, 6, 4, 11, 0, 40) + window * 120_000).toISOString();
}

/** Writes `count` gzipped copies, observed two minutes apart, and returns their paths. */
export function writeConusFiles({ message }: ConusMessage, directory: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const path = pathOf(directory, index);
    writeFileSync(path, gzipSync(restamp(message, observedOf(index)), { level: 6 }));
    return path;
  });
}

/** Writes the field moved east by three cells a window, so that no two pictures are the same. */
export function writeMovingConusFiles({ message }: ConusMessage, directory: string, count: number): void {
  const { codes, packing } = decodeField(message);
  const scale = 10 ** (1 - packing.decimalScale);
  const tenths = Int16Array.from(codes, (code) =>
    Math.round((packing.reference + code * 2 ** packing.binaryScale) * scale),
  );
  const moved = new Int16Array(tenths.length);
  for (let index = 0; index < count; index += 1) {
    const columns = 3 * index;
    for (let start = 0; start < tenths.length; start += conus.columns) {
      const row = tenths.subarray(start, start + conus.columns);
      moved.set(row.subarray(0, conus.columns - columns), start + columns);
      moved.set(row.subarray(conus.columns - columns), start);
    }
    // The picture in the message is deflated already.
    writeFileSync(pathOf(directory, index), gzipSync(encodeConus(moved, observedOf(index)), { level: 0 }));
  }
}

function pathOf(directory: string, index: number): string {
  const time = observedOf(index).replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return join(directory, `MRMS_MergedReflectivityQCComposite_00.50_${time}.grib2.gz`);
}
