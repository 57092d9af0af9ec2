import type { Position } from "geojson";
import { describe, expect, test } from "vitest";
import interstateRoutes from "../../../assets/ground/interstate-routes.json" with { type: "json" };
import interstates from "../../../assets/ground/interstates.json" with { type: "json" };
import { distanceKm, kmPerMile } from "../../../shared/geo/sphere.ts";
import { contains, toPolygons, type AreaGeometry } from "../../services/storm/places/area-geometry.ts";
import { loadAtlas } from "../atlas/atlas.ts";
import { buildCountyNames, buildWarningAreas, officeOfCounty } from "./basemap-counties.ts";
import { buildHighways, buildSites } from "./basemap-sites.ts";
import { buildWaters } from "./basemap-waters.ts";

const us = await loadAtlas("us");
const counties = us.objects.counties as unknown as {
  readonly geometries: readonly { readonly id: string }[];
};

function lengthMiles(line: readonly Position[]): number {
  return line
    .slice(1)
    .reduce((sum, [x, y], at) => sum + distanceKm([line[at]![0]!, line[at]![1]!], [x!, y!]) / kmPerMile, 0);
}

function nearestMiles(lines: readonly (readonly Position[])[], place: readonly [number, number]): number {
  return Math.min(...lines.flat().map(([x, y]) => distanceKm([x!, y!], place) / kmPerMile));
}

describe("the names of counties", () => {
  const { features } = buildCountyNames(us);

  test("stand once in each county of the atlas", () => {
    expect(features).toHaveLength(counties.geometries.length);
    const dallas = features.filter(({ properties }) => properties.name === "Dallas");
    const near = dallas.filter(({ geometry }) => {
      const [x, y] = geometry.coordinates;
      return distanceKm([x!, y!], [-96.78, 32.77]) < 10;
    });
    expect(near).toHaveLength(1);
  });
});

describe("the warning areas", () => {
  const { features } = buildWarningAreas(us);

  test("have an office for each county of the lower 48 States, Hawaii and Puerto Rico", () => {
    // No office is known for boroughs of Alaska and for Samoa and the Marianas: their list is not reliable.
    const without = counties.geometries
      .filter(({ id }) => !officeOfCounty.has(id))
      .map(({ id }) => id.slice(0, 2));
    expect(new Set(without)).toEqual(new Set(["02", "60", "69"]));
  });

  test.each([
    ["40109", "OUN", "Oklahoma"],
    ["48113", "FWD", "Dallas"],
    ["17031", "LOT", "Cook"],
    ["20173", "ICT", "Sedgwick"],
    ["31055", "OAX", "Douglas"],
    ["08031", "BOU", "Denver"],
    ["29189", "LSX", "St. Louis"],
    ["13121", "FFC", "Fulton"],
    ["12086", "MFL", "Miami-Dade"],
    ["36061", "OKX", "New York"],
  ])("give county %s to %s (%s)", (code, office) => {
    expect(officeOfCounty.get(code)).toBe(office);
  });

  test("have an identifier inside, and lines between offices alone", () => {
    const names = features.flatMap(({ properties }) => properties.office ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("OUN");
    const lines = features.flatMap(({ geometry }) =>
      geometry.type === "LineString" ? [geometry.coordinates] : [],
    );
    // Between Norman and Tulsa offices, and in the middle of Norman's area.
    expect(nearestMiles(lines, [-96.62, 35.77])).toBeLessThan(12);
    expect(nearestMiles(lines, [-98.0, 35.5])).toBeGreaterThan(40);
  });
});

describe("the waters", async () => {
  const { features } = await buildWaters();
  const byName = (name: string) => features.filter(({ properties }) => properties.name === name);

  test.each(["Lake Superior", "Lake Okeechobee", "Great Salt Lake", "Lake Sakakawea"])(
    "have the name of %s inside its shape",
    (name) => {
      const [shape, label] = byName(name);
      const [x, y] = label!.geometry.type === "Point" ? label!.geometry.coordinates : [];
      expect(contains(toPolygons(shape!.geometry as AreaGeometry), [x!, y!])).toBe(true);
    },
  );

  test.each<[string, readonly [number, number]]>([
    ["Mississippi", [-90.07, 35.15]],
    ["Missouri", [-96.4, 42.49]],
    ["Ohio", [-85.76, 38.27]],
    ["Rio Grande", [-106.49, 31.75]],
    ["Columbia", [-122.68, 45.65]],
  ])("have the %s where it flows", (name, city) => {
    const lines = byName(name).flatMap(({ geometry }) =>
      geometry.type === "MultiLineString"
        ? geometry.coordinates
        : geometry.type === "LineString"
          ? [geometry.coordinates]
          : [],
    );
    // At 1:50 million a line leaves out bends.
    expect(nearestMiles(lines, city)).toBeLessThan(15);
  });
});

describe("the interstates", () => {
  test("have about the lengths of the official log, so that the kept file fits the list of routes", () => {
    for (const number of new Set(interstateRoutes.map((route) => route.number))) {
      const miles = interstateRoutes
        .filter((route) => route.number === number)
        .reduce((sum, route) => sum + route.miles, 0);
      const drawn = interstates
        .filter(({ routes }) => routes.includes(number))
        .reduce((sum, { line }) => sum + lengthMiles(line), 0);
      // Lines that a route uses for less than half, at its ends, do not have its number.
      expect(drawn / miles, `I-${number}`).toBeGreaterThan(0.6);
      expect(drawn / miles, `I-${number}`).toBeLessThan(1.1);
    }
  });

  test.each<[string, readonly [number, number]]>([
    ["35", [-97.74, 30.27]],
    ["40", [-101.83, 35.19]],
    ["44", [-93.29, 37.24]],
    ["70", [-97.61, 38.88]],
    ["80", [-96.68, 40.86]],
    ["95", [-78.88, 35.05]],
  ])("have I-%s at a city on its way", (number, city) => {
    const lines = interstates.filter(({ routes }) => routes.includes(number)).map(({ line }) => line);
    expect(nearestMiles(lines, city)).toBeLessThan(6);
  });

  test("are joined to lines with room for a shield, and lose nothing", () => {
    const { features } = buildHighways();
    const all = features.reduce((sum, { geometry }) => sum + lengthMiles(geometry.coordinates), 0);
    const kept = interstates.reduce((sum, { line }) => sum + lengthMiles(line), 0);
    expect(all / kept).toBeCloseTo(1, 6);
    expect(features.length).toBeLessThan(interstates.length / 2);
  });
});

test("the sites are the radars and the airports", () => {
  const { features } = buildSites();
  const ids = (kind: string): string[] =>
    features.filter(({ properties }) => properties.kind === kind).map(({ properties }) => properties.id);
  expect(ids("radar")).toContain("KTLX");
  expect(ids("airport")).toContain("KOKC");
});
