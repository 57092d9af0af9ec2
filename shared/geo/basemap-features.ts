// The GeoJSON files of the basemap, as the build writes them and the viewer's map reads them. Types only.
import type { Feature, FeatureCollection, Geometry, Point } from "geojson";

/** Kinds that the map style filters by. */
export type BoundaryKind = "us-land" | "land" | "border" | "coast" | "state" | "county";

export type BoundaryFeature = Feature<Geometry, { readonly kind: BoundaryKind }>;
export type BoundaryCollection = FeatureCollection<Geometry, { readonly kind: BoundaryKind }>;

export type PlaceCollection = FeatureCollection<
  Point,
  {
    readonly name: string;
    /** Lowest zoom that shows the label. */
    readonly zoom: number;
    /** Order of placement; 0 is placed first. */
    readonly rank: number;
    /** Size of the label: 1 is the largest. */
    readonly size: 1 | 2 | 3;
  }
>;
