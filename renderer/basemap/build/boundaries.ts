// Land, borders, states and counties for the basemap, out of two atlases: U.S. Census boundaries for the United States, which
// follow the shores of the Great Lakes, and Natural Earth for everywhere else.
import type { Feature, FeatureCollection, MultiLineString, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, GeometryObject, Topology } from "topojson-specification";
import type { BoundaryCollection, BoundaryFeature, BoundaryKind } from "../features.ts";
import { boxesAround, clipPolygons, roundLine, roundPolygons } from "../../../shared/geo/clip.ts";
import type { Box, Polygon } from "../../../shared/geo/clip.ts";

/** The atlases as their packages have them. */
export interface Atlases {
  /** us-atlas `counties-10m.json`: counties, states, nation. */
  readonly us: Topology;
  /** world-atlas `countries-10m.json`. */
  readonly fine: Topology;
  /** world-atlas `countries-50m.json`. */
  readonly coarse: Topology;
}

/** Where storms are shown: the fine shapes are used inside, the coarse ones outside. */
const fineBox: Box = [-142, 5, -50, 62];

/** ISO 3166-1 numeric codes of what the U.S. atlas has: the States, Puerto Rico, Guam, the Virgin Islands, Samoa, the Marianas. */
const usCodes = new Set(["840", "630", "316", "850", "016", "580"]);
const unitedStates = "840";

/** Land as polygons; what is not land is water, the Great Lakes' Canadian shores apart, which neither atlas has. */
export function buildLand(atlases: Atlases): BoundaryCollection {
  const fine = clipPolygons(foreignLand(atlases.fine), fineBox);
  const coarse = foreignLand(atlases.coarse);
  const around = boxesAround(fineBox).flatMap((box) => clipPolygons(coarse, box));
  const nation = polygonsOf(feature(atlases.us, getObject(atlases.us, "nation")));
  return collect([toPolygons("land", [...fine, ...around]), toPolygons("us-land", nation)]);
}

/** Borders of the United States on land and in water, its coast, and the lines between its states. */
export function buildBorders({ us, fine }: Atlases): BoundaryCollection {
  const countries = getObject(fine, "countries");
  const isBorder = (a: GeometryObject, b: GeometryObject): boolean =>
    a !== b && (a.id === unitedStates || b.id === unitedStates);
  const states = getObject(us, "states");
  return collect([
    toLines("border", mesh(fine, countries, isBorder)),
    toLines("coast", mesh(us, getObject(us, "nation"))),
    toLines(
      "state",
      mesh(us, states, (a, b) => a !== b),
    ),
  ]);
}

/** The lines between counties of the same state. */
export function buildCounties({ us }: Atlases): BoundaryCollection {
  const counties = getObject(us, "counties");
  const inner = mesh(us, counties, (a, b) => a !== b && stateOf(a) === stateOf(b));
  return collect([toLines("county", inner)]);
}

/** The first two digits of a county's code are its state's. */
function stateOf({ id }: GeometryObject): string {
  return String(id).slice(0, 2);
}

function foreignLand(world: Topology): Polygon[] {
  const { features } = feature(world, getObject(world, "countries"));
  return features.filter(({ id }) => !usCodes.has(String(id))).flatMap(polygonsOf);
}

function getObject(topology: Topology, name: string): GeometryCollection {
  const object = topology.objects[name];
  if (object?.type !== "GeometryCollection") throw new Error(`The atlas has no collection "${name}".`);
  // The atlases' objects have no properties of null, which the type of a topology allows.
  return object as GeometryCollection;
}

function polygonsOf(source: Feature | FeatureCollection): Polygon[] {
  if (source.type === "FeatureCollection") return source.features.flatMap(polygonsOf);
  const { geometry } = source;
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

/** One feature a polygon, so that the map's tiler can leave out the ones it does not need. */
function toPolygons(kind: BoundaryKind, polygons: readonly Polygon[]): BoundaryFeature[] {
  return roundPolygons(polygons).map((coordinates) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "Polygon", coordinates },
  }));
}

function toLines(kind: BoundaryKind, { coordinates }: MultiLineString): BoundaryFeature[] {
  return coordinates
    .map(roundLine)
    .filter((line) => line.length >= 2)
    .map((line: Position[]) => ({
      type: "Feature",
      properties: { kind },
      geometry: { type: "LineString", coordinates: line },
    }));
}

function collect(parts: readonly BoundaryFeature[][]): BoundaryCollection {
  return { type: "FeatureCollection", features: parts.flat() };
}
