// Highways, airports and radar sites of the map, from assets/ground.
import type { Position } from "geojson";
import airports from "../../../assets/ground/airports.json" with { type: "json" };
import interstates from "../../../assets/ground/interstates.json" with { type: "json" };
import radarSites from "../../../assets/ground/radar-sites.json" with { type: "json" };
import type { HighwayCollection, SiteCollection } from "../../../shared/geo/basemap-features.ts";

/**
 * Returns the interstates with the number on their shield; a road of two routes has both numbers. The lines are as long
 * as can be, because a short one has no room for a shield.
 */
export function buildHighways(): HighwayCollection {
  const byShield = Map.groupBy(interstates, ({ routes }) => routes.slice(0, 2).join(" · "));
  return {
    type: "FeatureCollection",
    features: [...byShield].flatMap(([shield, roads]) =>
      joinLines(roads.map(({ line }) => line)).map((coordinates) => ({
        type: "Feature" as const,
        properties: shield === "" ? {} : { shield },
        geometry: { type: "LineString" as const, coordinates },
      })),
    ),
  };
}

/** Joins lines that end at the same point. */
function joinLines(lines: readonly Position[][]): Position[][] {
  const left = new Set(lines);
  const ending = Map.groupBy(
    lines.flatMap((line) => [line.at(0)!, line.at(-1)!].map((end) => ({ line, end: end.join() }))),
    ({ end }) => end,
  );
  const takeNext = (point: Position): Position[] | undefined => {
    const next = ending.get(point.join())?.find(({ line }) => left.has(line))?.line;
    if (!next) return undefined;
    left.delete(next);
    return next.at(0)!.join() === point.join() ? next : next.toReversed();
  };
  const joined: Position[][] = [];
  for (const line of lines) {
    if (!left.delete(line)) continue;
    let whole = line;
    for (let next = takeNext(whole.at(-1)!); next; next = takeNext(whole.at(-1)!)) {
      whole = [...whole, ...next.slice(1)];
    }
    for (let next = takeNext(whole.at(0)!); next; next = takeNext(whole.at(0)!)) {
      whole = [...next.toReversed(), ...whole.slice(1)];
    }
    joined.push(whole);
  }
  return joined;
}

/** Returns airports and radars as points with their identifier; `size` is 1 for those that appear first. */
export function buildSites(): SiteCollection {
  return {
    type: "FeatureCollection",
    features: [
      ...radarSites.map(({ id, coordinate }) => toSite({ kind: "radar", id, size: 1 }, coordinate)),
      ...airports.map(({ id, size, coordinate }) => toSite({ kind: "airport", id, size }, coordinate)),
    ],
  };
}

function toSite(
  properties: SiteCollection["features"][number]["properties"],
  coordinates: number[],
): SiteCollection["features"][number] {
  return { type: "Feature", properties, geometry: { type: "Point", coordinates } };
}
