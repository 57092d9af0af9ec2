// The fields of a row of reports as numbers, times and places. What is not one refuses the file, with the row's place.
import { AppError } from "../app-error.ts";
import type { Coordinate } from "../contract/primitives.ts";
import { toLabel } from "../overlays/reading/plain-text.ts";

export const mmPerInch = 25.4;
const ktPerMph = 1609.344 / 1852;
/** More than twice the largest hailstone on record. */
const largestInches = 20;

/** Position of a row: the name of its file, and its line or feature, such as `line 5`. */
export interface RowPlace {
  readonly file: string;
  readonly row: string;
}

/** @throws AppError `source-invalid`, always */
export function refuseRow({ file, row }: RowPlace, why: string): never {
  throw new AppError("source-invalid", `${file}, ${row}: ${why}.`);
}

/** Returns undefined for an empty field and for words that say that nothing is known. */
export function toNumber(text: string, field: string, at: RowPlace): number | undefined {
  const trimmed = text.trim();
  if (/^(?:|unk|none|nan|null)$/i.test(trimmed)) return undefined;
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (Number.isNaN(number)) refuseRow(at, `${field} "${toExcerpt(trimmed)}" is not a number`);
  return number;
}

/** Returns millimeters; undefined for hail whose size was not told, for which archives also write 0. */
export function toSizeMm(inches: number | undefined, at: RowPlace): number | undefined {
  if (inches === undefined || inches === 0) return undefined;
  if (inches < 0 || inches > largestInches) refuseRow(at, `a hailstone of ${inches} in is not possible`);
  return Math.round(inches * mmPerInch * 1e6) / 1e6;
}

export function toKnots(mph: number | undefined): number | undefined {
  return mph === undefined ? undefined : Math.round(mph * ktPerMph * 10) / 10;
}

export function toPlace(lon: number | undefined, lat: number | undefined, at: RowPlace): Coordinate {
  if (lat === undefined || Math.abs(lat) > 90)
    refuseRow(at, `latitude ${lat ?? "is missing, and"} is not a place`);
  if (lon === undefined || Math.abs(lon) > 180)
    refuseRow(at, `longitude ${lon ?? "is missing, and"} is not a place`);
  return [lon, lat];
}

/** Returns the instant of a UTC date and time; undefined for one that no clock shows. */
export function toInstantMs(
  parts: readonly [year: number, month: number, day: number],
  [hour, minute, second = 0]: readonly [hour: number, minute: number, second?: number],
): number | undefined {
  const [year, month, day] = parts;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(ms).getUTCDate() === day && new Date(ms).getUTCMonth() === month - 1;
  return isReal && hour < 24 && minute < 60 && second < 60 ? ms : undefined;
}

const writtenInstant =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?(?:Z|[+-]00(?::?00)?)?$/;

/** Reads a UTC instant such as `202405202117`, `2024-05-20 21:17` or `2024-05-20T21:17:00Z`. */
export function parseUtc(text: string, field: string, at: RowPlace): number {
  const [, year, month, day, hour, minute, second] = writtenInstant.exec(text.trim()) ?? [];
  const ms = toInstantMs(
    [Number(year), Number(month), Number(day)],
    [Number(hour), Number(minute), Number(second ?? 0)],
  );
  return ms ?? refuseRow(at, `${field} "${toExcerpt(text)}" is not a time in UTC`);
}

/** Joins the words of a place to one line, such as `3 W Norman, Cleveland, OK`. */
export function joinPlace(parts: readonly (string | undefined)[]): string | undefined {
  return toLabel(
    parts
      .map((part) => part?.trim())
      .filter((part) => part)
      .join(", "),
  );
}

function toExcerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
