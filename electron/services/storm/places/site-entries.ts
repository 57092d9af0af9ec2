// Airports and WSR-88D sites for the search: found by identifier and by name. The identifier of an airport also finds
// its city.
import { fold, foldedForms } from "./fold.ts";
import type { GazetteerData } from "./gazetteer-data.ts";
import type { Entry, Surroundings } from "./place-entry.ts";
import type { FoundPlace } from "./place-provider.ts";
import { states } from "./states.ts";

/** Airports that people name a city by have scheduled service. */
const leastServedSize = 2;

/** Short names of cities that are not an airport's: folded, with the name and the state. */
const nicknames: readonly (readonly [short: string, name: string, state: string])[] = [
  ["nyc", "New York City", "NY"],
  ["la", "Los Angeles", "CA"],
  ["sf", "San Francisco", "CA"],
  ["kc", "Kansas City", "MO"],
  ["chi", "Chicago", "IL"],
  ["philly", "Philadelphia", "PA"],
  ["vegas", "Las Vegas", "NV"],
  ["nola", "New Orleans", "LA"],
  ["indy", "Indianapolis", "IN"],
  ["jax", "Jacksonville", "FL"],
];

/** Returns the short names of each city as folded forms, by its name and the postal code of its state. */
export function toCityForms({ airports }: GazetteerData): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  const add = (name: string, state: string, short: string): void => {
    const key = toCityKey(name, state);
    forms.set(key, [...(forms.get(key) ?? []), short]);
  };
  for (const [short, name, state] of nicknames) add(name, state, short);
  for (const { city, state, faaId, size } of airports) {
    if (size <= leastServedSize) add(city, state, fold(faaId));
  }
  return forms;
}

export function toCityKey(name: string, state: string): string {
  return `${fold(name)}, ${state}`;
}

/** Returns the entries of airports and radars; `ofState` has the surroundings of each of `states`. */
export function toSiteEntries(
  { airports, radars }: GazetteerData,
  ofState: readonly Surroundings[],
): Entry[] {
  const surroundingsOf = (postal: string): Surroundings => ofState[toStateIndex(postal)]!;
  return [
    ...airports.map(({ id, faaId, name, city, state, size }, at): Entry => ({
      // Below every town of the same name, and hubs first.
      prominence: 1 / (1 + size),
      forms: [fold(id), fold(faaId), ...foldedForms(name), ...foldedForms(`${city} airport`)],
      surroundings: surroundingsOf(state),
      kind: "airport",
      at,
    })),
    ...radars.map(({ id, name, state }, at): Entry => ({
      prominence: 0,
      forms: [fold(id), fold(id.slice(1)), ...foldedForms(`${name} radar`)],
      surroundings: surroundingsOf(state),
      kind: "radar",
      at,
    })),
  ];
}

export function toAirportPlace({ airports }: GazetteerData, at: number): FoundPlace {
  const { id, faaId, name, city, state, coordinate } = airports[at]!;
  return {
    id: `airport:${id}`,
    label: name,
    context: `Airport ${faaId} · ${city}, ${states[toStateIndex(state)]!.name}`,
    coordinate,
    kind: "airport",
  };
}

export function toRadarPlace({ radars }: GazetteerData, at: number): FoundPlace {
  const { id, name, state, coordinate } = radars[at]!;
  return {
    id: `radar:${id}`,
    label: id,
    context: `WSR-88D radar · ${name}, ${states[toStateIndex(state)]!.name}`,
    coordinate,
    kind: "radar",
  };
}

function toStateIndex(postal: string): number {
  return states.findIndex((state) => state.postal === postal);
}
