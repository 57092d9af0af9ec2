// The viewer's land, borders, states and counties as GeoJSON. Land is fine where storms are shown and coarse elsewhere.
import type { Position } from "geojson";
import type { Topology } from "topojson-specification";
import type {
  BoundaryCollection,
  BoundaryFeature,
  BoundaryKind,
} from "../../../shared/geo/basemap-features.ts";
import { boxesAround, clipPolygons, roundPolygons } from "../../../shared/geo/clip.ts";
import type { Box, Polygon } from "../../../shared/geo/clip.ts";
import {
  toCountyLines,
  toForeignLand,
  toStateLines,
  toUsBorders,
  toUsCoast,
  toUsLand,
} from "../atlas/atlas.ts";

export interface Atlases {
  readonly us: Topology;
  readonly fineWorld: Topology;
  readonly coarseWorld: Topology;
}

/** The area where storms are shown. */
const fineBox: Box = [-142, 5, -50, 62];

/** Returns land as polygons; everything else is water. Neither atlas has the Canadian shores of the Great Lakes. */
export function buildLand({ us, fineWorld, coarseWorld }: Atlases): BoundaryCollection {
  const fine = clipPolygons(toForeignLand(fineWorld), fineBox);
  const coarse = toForeignLand(coarseWorld);
  const around = boxesAround(fineBox).flatMap((box) => clipPolygons(coarse, box));
  return collect([
    toPolygonFeatures("land", [...fine, ...around]),
    toPolygonFeatures("us-land", toUsLand(us)),
  ]);
}

/** Returns the borders, the coast and the state lines of the United States. */
export function buildBorders({ us, fineWorld }: Atlases): BoundaryCollection {
  return collect([
    toLineFeatures("border", toUsBorders(fineWorld)),
    toLineFeatures("coast", toUsCoast(us)),
    toLineFeatures("state", toStateLines(us)),
  ]);
}

export function buildCounties({ us }: Atlases): BoundaryCollection {
  return collect([toLineFeatures("county", toCountyLines(us))]);
}

/** Returns one feature per polygon, so that the map's tiler can skip those it does not need. */
function toPolygonFeatures(kind: BoundaryKind, polygons: readonly Polygon[]): BoundaryFeature[] {
  return roundPolygons(polygons).map((coordinates) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "Polygon", coordinates },
  }));
}

function toLineFeatures(kind: BoundaryKind, lines: readonly Position[][]): BoundaryFeature[] {
  return lines.map((coordinates) => ({
    type: "Feature",
    properties: { kind },
    geometry: { type: "LineString", coordinates },
  }));
}

function collect(parts: readonly BoundaryFeature[][]): BoundaryCollection {
  return { type: "FeatureCollection", features: parts.flat() };
}
