import { feature } from "topojson-client";
import type { GeometryCollection } from "topojson-specification";
import { describe, expect, test } from "vitest";
import airports from "../../../assets/ground/airports.json" with { type: "json" };
import radarSites from "../../../assets/ground/radar-sites.json" with { type: "json" };
import { contains, toPolygons, type AreaGeometry } from "../../services/storm/places/area-geometry.ts";
import { states } from "../../services/storm/places/states.ts";
import { loadAtlas } from "./atlas.ts";

const us = await loadAtlas("us");
const shapes = feature(us, us.objects.states as GeometryCollection).features;

function findState([longitude, latitude]: readonly number[]): string | undefined {
  const shape = shapes.find(({ geometry }) =>
    contains(toPolygons(geometry as AreaGeometry), [longitude!, latitude!]),
  );
  return states.find(({ fips }) => fips === shape?.id)?.postal;
}

describe("the WSR-88D sites", () => {
  test("are the 156 of the States, Puerto Rico and Guam, each once", () => {
    expect(new Set(radarSites.map(({ id }) => id)).size).toBe(156);
    expect(radarSites.filter(({ id }) => !/^(K|P|T)[A-Z]{3}$/.test(id))).toEqual([]);
  });

  test("are in their state; the atlas has no Middleton Island", () => {
    const elsewhere = radarSites.filter(({ coordinate, state }) => findState(coordinate) !== state);
    expect(elsewhere.map(({ id }) => id)).toEqual(["PAIH"]);
  });
});

describe("the airports", () => {
  test("have one identifier each, and the hubs among them", () => {
    expect(new Set(airports.map(({ id }) => id)).size).toBe(airports.length);
    const hubs = airports.filter(({ size }) => size === 1).map(({ id }) => id);
    for (const hub of ["KATL", "KDEN", "KDFW", "KLAX", "KORD"]) expect(hubs).toContain(hub);
  });

  test("are in their state, but for two by a river border and those on shores that are drawn coarsely", () => {
    const elsewhere = airports.filter(({ coordinate, state }) => (findState(coordinate) ?? state) !== state);
    expect(elsewhere.map(({ id }) => id)).toEqual(["KDLS", "KOMA"]);
    const atSea = airports.filter(({ coordinate }) => findState(coordinate) === undefined);
    expect(atSea.length).toBeLessThan(airports.length * 0.03);
  });
});
