// What the basemap's GeoJSON files hold, as their makers (build/) and their readers (style, place names) agree on it. Types alone.
import type { Feature, FeatureCollection, Geometry, Point } from "geojson";

/** What a boundary is for: the style filters by it. */
export type BoundaryKind = "us-land" | "land" | "border" | "coast" | "state" | "county";

export interface BoundaryProperties {
  readonly kind: BoundaryKind;
}

export type BoundaryFeature = Feature<Geometry, BoundaryProperties>;
export type BoundaryCollection = FeatureCollection<Geometry, BoundaryProperties>;

export interface PlaceProperties {
  readonly name: string;
  /** The lowest zoom at which the label may stand. */
  readonly zoom: number;
  /** 0 is placed first. */
  readonly rank: number;
  /** How large the label is: 1 for the great cities, 2, then 3. */
  readonly size: 1 | 2 | 3;
}

export type PlaceCollection = FeatureCollection<Point, PlaceProperties>;
