// Distances in words, in the unit that a person wants first.
import { kmPerMile } from "./sphere.ts";

export const distanceUnits = ["mi", "nmi", "km"] as const;
export type DistanceUnit = (typeof distanceUnits)[number];

export const kmPerUnit: Readonly<Record<DistanceUnit, number>> = { mi: kmPerMile, nmi: 1.852, km: 1 };

/** `14 mi (22 km)`, `12 nmi (22 km)`, `22 km (14 mi)`: whole numbers, metric beside the others. */
export function toDistanceWords(distanceKm: number, first: DistanceUnit = "mi"): string {
  const words = (unit: DistanceUnit): string => `${Math.round(distanceKm / kmPerUnit[unit])} ${unit}`;
  return `${words(first)} (${words(first === "km" ? "mi" : "km")})`;
}
