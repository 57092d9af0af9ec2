// The file format of the gazetteer. Cities are in columns, because rows would be twice the size. The checks are plain
// functions, because a schema for each number would take longer than the rest of the startup.
import * as z from "zod";
import type { Bounds, Coordinate } from "../../../../shared/contract/primitives.ts";
import type { Airport, RadarSite } from "../../../../shared/geo/sites.ts";

export interface Area {
  readonly fips: string;
  readonly label: string;
  /** Index of the state that contains it; for a state, its own. */
  readonly state: number;
  /** Total population of the listed cities inside: for ranking, not a census. */
  readonly population: number;
  /** A point inside, away from the border. */
  readonly coordinate: Coordinate;
  /** Only the western part if it crosses the antimeridian. */
  readonly bounds: Bounds;
}

export interface StateArea extends Area {
  readonly postal: string;
}

function isListOf<Item>(isItem: (value: unknown) => boolean) {
  return z.custom<readonly Item[]>((value) => Array.isArray(value) && value.every(isItem));
}

function isArea(value: unknown): boolean {
  const area = value as Readonly<Record<keyof Area, unknown>> | null;
  return (
    typeof area === "object" &&
    area !== null &&
    typeof area.fips === "string" &&
    typeof area.label === "string" &&
    Number.isSafeInteger(area.state) &&
    Number.isSafeInteger(area.population) &&
    isNumbers(area.coordinate, 2) &&
    isNumbers(area.bounds, 4)
  );
}

function isNumbers(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every((item) => typeof item === "number");
}

function isStateArea(value: unknown): boolean {
  return isArea(value) && typeof (value as StateArea).postal === "string";
}

function isSite(value: unknown): boolean {
  const site = value as Readonly<Record<keyof RadarSite, unknown>> | null;
  return (
    typeof site === "object" &&
    site !== null &&
    typeof site.id === "string" &&
    typeof site.name === "string" &&
    typeof site.state === "string" &&
    isNumbers(site.coordinate, 2)
  );
}

const Integers = isListOf<number>(Number.isSafeInteger);
const Texts = isListOf<string>((value) => typeof value === "string");

/** Columns with one entry for each city, by population, descending. */
const Cities = z
  .object({
    geonamesId: Integers,
    name: Texts,
    state: Integers,
    /** Index into `counties`, or -1 if unknown. */
    county: Integers,
    population: Integers,
    /** Degrees × 100,000. */
    longitudeE5: Integers,
    latitudeE5: Integers,
  })
  .refine((columns) => new Set(Object.values(columns).map(({ length }) => length)).size === 1);

/** ZIP code areas in columns, by code, ascending. */
const ZipAreas = z
  .object({
    /** The code as a number: 1001 for 01001. */
    code: Integers,
    /** Degrees × 1,000 of a point inside: a ZIP code area is kilometers wide. */
    longitudeE3: Integers,
    latitudeE3: Integers,
  })
  .refine(({ code, longitudeE3, latitudeE3 }) =>
    [longitudeE3, latitudeE3].every(({ length }) => length === code.length),
  );

export const GazetteerData = z.object({
  version: z.literal(2),
  states: isListOf<StateArea>(isStateArea),
  counties: isListOf<Area>(isArea),
  cities: Cities,
  airports: isListOf<Airport>(isSite),
  radars: isListOf<RadarSite>(isSite),
  zips: ZipAreas,
});
export type GazetteerData = z.infer<typeof GazetteerData>;
