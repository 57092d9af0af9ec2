// Makes county names, and the warning areas of the forecast offices, from the counties. A warning area consists of
// whole counties, except for a few that two offices share.
import { feature, merge, mesh } from "topojson-client";
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from "topojson-specification";
import offices from "../../../assets/ground/warning-areas.json" with { type: "json" };
import type { CountyNameCollection, WarningAreaCollection } from "../../../shared/geo/basemap-features.ts";
import { roundLine } from "../../../shared/geo/clip.ts";
import { toInnerPoint, toPolygons, type AreaGeometry } from "../../services/storm/places/area-geometry.ts";

interface CountyProperties {
  readonly name: string;
}

type County = (Polygon | MultiPolygon) & { readonly id?: string };

/** Office of each county, by its five-digit code. */
export const officeOfCounty: ReadonlyMap<string, string> = new Map(
  Object.entries(offices).flatMap(([office, codes]) =>
    codes.split(" ").map((code): [string, string] => [code, office]),
  ),
);

/** Returns a point in each county with its name. */
export function buildCountyNames(us: Topology): CountyNameCollection {
  const counties = feature(us, us.objects.counties as GeometryCollection<CountyProperties>);
  return {
    type: "FeatureCollection",
    features: counties.features.map(({ properties, geometry }) => ({
      type: "Feature",
      properties: { name: properties.name },
      geometry: {
        type: "Point",
        coordinates: roundPoint(toInnerPoint(toPolygons(geometry as AreaGeometry))),
      },
    })),
  };
}

/** Returns the lines between offices, and a point in each area with the office's identifier. */
export function buildWarningAreas(us: Topology): WarningAreaCollection {
  const counties = us.objects.counties as GeometryCollection<CountyProperties>;
  const officeOf = (county: { readonly id?: unknown }): string | undefined =>
    officeOfCounty.get(String(county.id));
  const lines = mesh(us, counties, (a, b) => a !== b && officeOf(a) !== officeOf(b));
  const areas = Map.groupBy(counties.geometries as County[], officeOf);
  areas.delete(undefined);
  return {
    type: "FeatureCollection",
    features: [
      ...lines.coordinates
        .map(roundLine)
        .filter((line) => line.length >= 2)
        .map((coordinates) => ({
          type: "Feature" as const,
          properties: {},
          geometry: { type: "LineString" as const, coordinates },
        })),
      ...[...areas].map(([office, members]) => ({
        type: "Feature" as const,
        properties: { office: office! },
        geometry: {
          type: "Point" as const,
          coordinates: roundPoint(toInnerPoint(toPolygons(merge(us, members) as AreaGeometry))),
        },
      })),
    ],
  };
}

function roundPoint([longitude, latitude]: readonly [number, number]): [number, number] {
  return [Math.round(longitude * 1e3) / 1e3, Math.round(latitude * 1e3) / 1e3];
}
