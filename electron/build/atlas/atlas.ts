// Land, borders and the lines between states and counties, in degrees. The Census Bureau's boundaries (us-atlas) show
// the United States and follow the shores of the Great Lakes; Natural Earth (world-atlas) shows every other country.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Feature, FeatureCollection, MultiLineString, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, GeometryObject, Topology } from "topojson-specification";
import { roundLine, type Polygon } from "../../../shared/geo/clip.ts";

const atlasFiles = {
  us: "us-atlas/counties-10m.json",
  fineWorld: "world-atlas/countries-10m.json",
  coarseWorld: "world-atlas/countries-50m.json",
} as const;

export async function loadAtlas(name: keyof typeof atlasFiles): Promise<Topology> {
  const path = createRequire(import.meta.url).resolve(atlasFiles[name]);
  return JSON.parse(await readFile(path, "utf8")) as Topology;
}

const unitedStates = "840";
/** ISO 3166-1 numeric codes in the U.S. atlas: the States, Puerto Rico, Guam, Virgin Islands, Samoa, Marianas. */
const usCodes = new Set([unitedStates, "630", "316", "850", "016", "580"]);

export function toUsLand(us: Topology): Polygon[] {
  return toPolygons(feature(us, getCollection(us, "nation")));
}

/** Returns all land but the United States. */
export function toForeignLand(world: Topology): Polygon[] {
  const { features } = feature(world, getCollection(world, "countries"));
  return features.filter(({ id }) => !usCodes.has(String(id))).flatMap(toPolygons);
}

/** Returns the borders of the United States on land and in water. */
export function toUsBorders(world: Topology): Position[][] {
  const isBorder = (a: GeometryObject, b: GeometryObject): boolean =>
    a !== b && (a.id === unitedStates || b.id === unitedStates);
  return toLines(mesh(world, getCollection(world, "countries"), isBorder));
}

export function toUsCoast(us: Topology): Position[][] {
  return toLines(mesh(us, getCollection(us, "nation")));
}

export function toStateLines(us: Topology): Position[][] {
  return toLines(mesh(us, getCollection(us, "states"), (a, b) => a !== b));
}

/** Returns the lines between counties of the same state. */
export function toCountyLines(us: Topology): Position[][] {
  const isInner = (a: GeometryObject, b: GeometryObject): boolean => a !== b && stateOf(a) === stateOf(b);
  return toLines(mesh(us, getCollection(us, "counties"), isInner));
}

/** Returns the first two digits of a county's code, which are its state's. */
function stateOf({ id }: GeometryObject): string {
  return String(id).slice(0, 2);
}

function getCollection(topology: Topology, name: string): GeometryCollection {
  const object = topology.objects[name];
  if (object?.type !== "GeometryCollection") throw new Error(`The atlas has no collection "${name}".`);
  // Geometries may have null properties by their type; those of the atlases have none.
  return object as GeometryCollection;
}

function toPolygons(source: Feature | FeatureCollection): Polygon[] {
  if (source.type === "FeatureCollection") return source.features.flatMap(toPolygons);
  const { geometry } = source;
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

function toLines({ coordinates }: MultiLineString): Position[][] {
  return coordinates.map(roundLine).filter((line) => line.length >= 2);
}
