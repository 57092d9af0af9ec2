// The GeoJSON files of the basemap, as the build writes them and the viewer's map reads them. Types only.
import type { Feature, FeatureCollection, Geometry, LineString, Point } from "geojson";

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

export type WaterKind = "great-lake" | "lake" | "lake-name" | "river";

export type WaterCollection = FeatureCollection<
  Geometry,
  {
    readonly kind: WaterKind;
    readonly name?: string;
    /** True for the name of a Great Lake. */
    readonly great?: boolean;
  }
>;

export type CountyNameCollection = FeatureCollection<Point, { readonly name: string }>;

/** Lines without properties, and a point in each area with the identifier of its forecast office. */
export type WarningAreaCollection = FeatureCollection<LineString | Point, { readonly office?: string }>;

export type HighwayCollection = FeatureCollection<LineString, { readonly shield?: string }>;

export type SiteCollection = FeatureCollection<
  Point,
  {
    readonly kind: "airport" | "radar";
    /** ICAO identifier. */
    readonly id: string;
    readonly size: number;
  }
>;
