// The file format of the gazetteer. Cities are in columns, because rows would be twice the size. The checks are plain
// functions, because a schema for each number would take longer than the rest of the startup.
import * as z from "zod";
import type { Bounds, Coordinate } from "../../../../shared/contract/primitives.ts";

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

export const GazetteerData = z.object({
  version: z.literal(1),
  states: isListOf<StateArea>(isStateArea),
  counties: isListOf<Area>(isArea),
  cities: Cities,
});
export type GazetteerData = z.infer<typeof GazetteerData>;
