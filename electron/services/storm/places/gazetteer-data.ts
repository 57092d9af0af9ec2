// The gazetteer as it is prepared at build time and read at run time: cities in columns, because rows would be twice the
// size. The checks are plain functions: a schema a number would cost more than all the rest of starting up.
import * as z from "zod";
import type { Bounds, Coordinate } from "../../../../shared/contract/primitives.ts";

export interface Area {
  readonly fips: string;
  readonly label: string;
  /** Index of the state it lies in; for a state, its own. */
  readonly state: number;
  /** People in the listed cities inside: a rank, not a census. */
  readonly population: number;
  /** A point well inside. */
  readonly coordinate: Coordinate;
  /** Where it crosses the antimeridian, the part in the western hemisphere. */
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

/** One entry a city in every column, by population, descending. */
const Cities = z
  .object({
    geonamesId: Integers,
    name: Texts,
    state: Integers,
    /** Index into `counties`, or -1 where none is known. */
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
