// Which storms a watch rule has told of. An area is the same storm as a told one if one of its points lies within 25 km
// of that storm's last ones, and the storm was last seen not more than 30 minutes of observation before. A storm that
// matches again only later is a new one.
import * as z from "zod";
import { Coordinate } from "../../contract/primitives.ts";
import { distanceKm } from "../../geo/sphere.ts";
import type { MatchingArea } from "./matching-areas.ts";

export const sameStormKm = 25;
export const sameStormMs = 30 * 60_000;

export const ToldStorm = z
  .object({
    /** Observation in which it matched last, in milliseconds since the Unix epoch. */
    observedMs: z.number(),
    points: z.array(Coordinate).readonly(),
  })
  .readonly();
export type ToldStorm = z.infer<typeof ToldStorm>;

export interface Followed {
  /** The told storms from now on. */
  readonly told: readonly ToldStorm[];
  /** Areas that are new storms, the highest first; an area beside a new storm is part of it. */
  readonly fresh: readonly MatchingArea[];
}

/** Takes the areas of one observation, the highest first. */
export function followStorms(
  told: readonly ToldStorm[],
  areas: readonly MatchingArea[],
  observedMs: number,
): Followed {
  const recent = told.filter((storm) => observedMs - storm.observedMs <= sameStormMs);
  const next: ToldStorm[] = [];
  const fresh: MatchingArea[] = [];
  const seen = new Set<ToldStorm>();
  for (const area of areas) {
    const same = recent.filter((storm) => isNear(storm, area));
    for (const storm of same) seen.add(storm);
    if (same.length === 0 && !next.some((storm) => isNear(storm, area))) fresh.push(area);
    next.push({ observedMs, points: area.points });
  }
  return { told: [...recent.filter((storm) => !seen.has(storm)), ...next], fresh };
}

function isNear({ points }: ToldStorm, area: MatchingArea): boolean {
  return points.some((point) => area.points.some((other) => distanceKm(point, other) <= sameStormKm));
}
