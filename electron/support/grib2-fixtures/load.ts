// Loads the test messages of this folder with their truth, damages them, and finds the real files if they exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Packing } from "../../pipeline/grib2/field.ts";

export interface FixtureTruth {
  readonly packing: Packing;
  readonly columns: number;
  readonly rows: number;
  /** Cell values, north first and west first; null if missing. */
  readonly values: readonly (number | null)[];
}

const folder = new URL("./", import.meta.url);

export const fixtureNames: readonly string[] = readdirSync(folder).filter((name) => name.endsWith(".grib2"));

export function loadFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, folder)));
}

export function loadFixtureTruth(): Readonly<Record<string, FixtureTruth>> {
  return JSON.parse(readFileSync(new URL("truth.json", folder), "utf8")) as Record<string, FixtureTruth>;
}

/** Offsets of the sections in ecCodes fixtures, which have no section 2. */
export const sectionStarts = { 1: 16, 3: 37, 4: 109, 5: 143, 6: 164, 7: 170 } as const;

/** Returns a copy with the bytes at `at` replaced. */
export function patched(bytes: Uint8Array, at: number, ...replacement: number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(replacement, at);
  return copy;
}

/** Returns the error that `action` throws; undefined if it throws none. */
export function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Returns four bytes, most significant first. */
export function toBytes32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

/**
 * Returns a message with sections 0 to 4 of `bytes` and the given contents of sections 5 to 7, without length and
 * number.
 */
export function withData(
  bytes: Uint8Array,
  contents: { readonly 5: readonly number[]; readonly 6: readonly number[]; readonly 7: readonly number[] },
): Uint8Array {
  const sections = ([5, 6, 7] as const).flatMap((number) => [
    ...toBytes32(contents[number].length + 5),
    number,
    ...contents[number],
  ]);
  const message = Uint8Array.from([
    ...bytes.subarray(0, sectionStarts[5]),
    ...sections,
    0x37,
    0x37,
    0x37,
    0x37,
  ]);
  return patched(message, 12, ...toBytes32(message.length));
}

/** Folder of real MRMS files with independently computed truth, next to the project. */
const realFolder = new URL("../../../../shared/mrms/", import.meta.url);

export const hasRealFiles = existsSync(realFolder);

export function loadRealFile(path: string): Uint8Array {
  return readFileSync(new URL(path, realFolder));
}
