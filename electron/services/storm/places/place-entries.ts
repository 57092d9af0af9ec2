// The places of the gazetteer for the search: folded names, surroundings and order; and the wire form of a found place.
import { fold, foldedForms } from "./fold.ts";
import type { Area, GazetteerData } from "./gazetteer-data.ts";
import type { Entry, Surroundings } from "./place-entry.ts";
import type { FoundPlace } from "./place-provider.ts";
import { toAirportPlace, toCityForms, toCityKey, toRadarPlace, toSiteEntries } from "./site-entries.ts";
import { isIndependentCity } from "./states.ts";

/** Factor for counties: people look for a town of the same population more often. */
const countyProminence = 0.1;

/** Returns the entries, best known first. */
export function toEntries(data: GazetteerData): Entry[] {
  const ofState = data.states.map(({ label, postal }) =>
    surroundingsOf(undefined, [fold(label), fold(postal)]),
  );
  const ofCounty = data.counties.map(({ label, state }) => surroundingsOf(label, ofState[state]!.state));
  const entries = [
    ...toStateEntries(data),
    ...toCountyEntries(data, ofState),
    ...toCityEntries(data, ofState, ofCounty),
    ...toSiteEntries(data, ofState),
  ];
  return entries.sort((a, b) => b.prominence - a.prominence);
}

function toStateEntries({ states }: GazetteerData): Entry[] {
  const surroundings: Surroundings = { words: ["united", "states", "us", "usa"], state: [] };
  return states.map(({ label, postal, population }, at) => ({
    prominence: population,
    forms: [fold(label), fold(postal)],
    surroundings,
    kind: "state",
    at,
  }));
}

function toCountyEntries(
  { states, counties, cities }: GazetteerData,
  ofState: readonly Surroundings[],
): Entry[] {
  const independent = new Set<string>();
  cities.county.forEach((county, city) => {
    if (counties[county]?.label === cities.name[city]) independent.add(counties[county]!.fips);
  });
  const entries = counties.map(({ label, population, state }, at): Entry => ({
    prominence: population * countyProminence,
    forms: foldedForms(label),
    surroundings: ofState[state]!,
    kind: "county",
    at,
  }));
  // The District is its own only county, and an independent city is listed as a city.
  return entries.filter(({ at }) => {
    const { fips, label, state } = counties[at]!;
    return label !== states[state]!.label && !independent.has(fips);
  });
}

function toCityEntries(
  data: GazetteerData,
  ofState: readonly Surroundings[],
  ofCounty: readonly Surroundings[],
): Entry[] {
  const { cities, states } = data;
  const shortForms = toCityForms(data);
  const named = new Set<string>();
  // The largest city of a name in a state comes first, and alone has the short names.
  const toShortForms = (key: string): readonly string[] =>
    named.size === named.add(key).size ? [] : (shortForms.get(key) ?? []);
  return cities.name.map((name, at) => ({
    prominence: cities.population[at]!,
    forms: [...foldedForms(name), ...toShortForms(toCityKey(name, states[cities.state[at]!]!.postal))],
    surroundings: ofCounty[cities.county[at]!] ?? ofState[cities.state[at]!]!,
    kind: "city",
    at,
  }));
}

export function toPlace(data: GazetteerData, { kind, at }: Entry): FoundPlace {
  switch (kind) {
    case "state":
      return toAreaPlace(data.states[at]!, kind, "United States");
    case "county":
      return toAreaPlace(data.counties[at]!, kind, data.states[data.counties[at]!.state]!.label);
    case "city":
      return toCityPlace(data, at);
    case "airport":
      return toAirportPlace(data, at);
    case "radar":
      return toRadarPlace(data, at);
  }
}

function toCityPlace({ states, counties, cities }: GazetteerData, at: number): FoundPlace {
  return {
    id: `geonames:${cities.geonamesId[at]!}`,
    label: cities.name[at]!,
    context: toContext(counties[cities.county[at]!], states[cities.state[at]!]!),
    coordinate: [cities.longitudeE5[at]! / 1e5, cities.latitudeE5[at]! / 1e5],
    kind: "city",
  };
}

function toContext(county: Area | undefined, state: Area): string {
  const isWorthSaying = county && county.label !== state.label && !isIndependentCity(county.fips);
  return isWorthSaying ? `${county.label}, ${state.label}` : state.label;
}

/** `state` is folded: its name and its postal code. */
function surroundingsOf(county: string | undefined, state: readonly string[]): Surroundings {
  const texts = [...(county === undefined ? [] : foldedForms(county)), ...state, "us", "usa"];
  return { words: texts.flatMap((text) => text.split(" ")), state };
}

function toAreaPlace(area: Area, kind: "state" | "county", context: string): FoundPlace {
  const [west, south, east, north] = area.bounds;
  return {
    id: `fips:${area.fips}`,
    label: area.label,
    context,
    coordinate: area.coordinate,
    bounds: [
      [west, south],
      [east, north],
    ],
    kind,
  };
}
