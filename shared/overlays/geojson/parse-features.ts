// GeoJSON text to its features: geometries that are drawn, and properties that are not trusted.
import type { Coordinate } from "../../contract/primitives.ts";
import { overlayLimits, type OverlayGeometry } from "../overlay.ts";
import { closeRing } from "../reading/rings.ts";
import { refuse, refuseManyPoints, type OverlayFile } from "../reading/shape-gatherer.ts";

export interface Feature {
  readonly properties: Properties;
  /** Several for the Multi types and collections; none without a geometry. */
  readonly geometries: readonly OverlayGeometry[];
}

export type Properties = Readonly<Record<string, unknown>>;

/** A collection inside a collection, and so on, is refused beyond this depth. */
const deepestCollection = 4;

export interface ParsedFeatures {
  readonly features: readonly Feature[];
  /** Name or title of the collection. */
  readonly title: unknown;
  /** Parts of a file of another format that are no features, a sentence each without its full stop. */
  readonly notes?: readonly string[];
}

export function parseGeoJson({ name, text }: OverlayFile): ParsedFeatures {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw refuse(name, "is not valid JSON", cause);
  }
  return toFeatures(name, root);
}

/** Reads a document that is already parsed, of a file with this name. */
export function toFeatures(name: string, root: unknown): ParsedFeatures {
  if (!isProperties(root)) throw refuse(name, "is not GeoJSON");
  const list = root.type === "FeatureCollection" ? root.features : [asFeature(root)];
  if (!Array.isArray(list)) throw refuse(name, "is not GeoJSON: its features are not a list");
  if (list.length > overlayLimits.shapes)
    throw refuse(name, `has more than ${overlayLimits.shapes.toLocaleString("en-US")} shapes`);
  const reader = new GeometryReader(name);
  return { features: list.map((item) => reader.readFeature(item)), title: root.title ?? root.name };
}

/** A geometry may be a document by itself. */
function asFeature(root: Properties): unknown {
  return root.type === "Feature" ? root : { type: "Feature", properties: {}, geometry: root };
}

export function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class GeometryReader {
  readonly #name: string;
  #points = 0;

  constructor(name: string) {
    this.#name = name;
  }

  readFeature(feature: unknown): Feature {
    if (!isProperties(feature) || feature.type !== "Feature")
      throw this.#wrong("an entry of its list is not a feature");
    const properties = isProperties(feature.properties) ? feature.properties : {};
    const { geometry } = feature;
    return {
      properties,
      geometries: geometry === null || geometry === undefined ? [] : this.#read(geometry, 0),
    };
  }

  #read(geometry: unknown, depth: number): OverlayGeometry[] {
    if (!isProperties(geometry)) throw this.#wrong("a geometry is not an object");
    const { type, coordinates } = geometry;
    switch (type) {
      case "Point":
        return [{ type, coordinates: this.#readPlace(coordinates) }];
      case "MultiPoint":
        return this.#readLine(coordinates).map((place) => ({ type: "Point", coordinates: place }));
      case "LineString":
        return [{ type, coordinates: this.#readLine(coordinates) }];
      case "MultiLineString":
        return this.#readList(coordinates).map((line) => ({
          type: "LineString",
          coordinates: this.#readLine(line),
        }));
      case "Polygon":
        return [this.#readPolygon(coordinates)];
      case "MultiPolygon":
        return this.#readList(coordinates).map((polygon) => this.#readPolygon(polygon));
      case "GeometryCollection":
        if (depth === deepestCollection) throw this.#wrong("its collections are nested too deep");
        return this.#readList(geometry.geometries).flatMap((part) => this.#read(part, depth + 1));
      default:
        throw this.#wrong("a geometry has no type that GeoJSON knows");
    }
  }

  #readPolygon(rings: unknown): OverlayGeometry {
    const coordinates = this.#readList(rings).map((ring) => closeRing(this.#readLine(ring)));
    return { type: "Polygon", coordinates };
  }

  #readLine(places: unknown): Coordinate[] {
    return this.#readList(places).map((place) => this.#readPlace(place));
  }

  #readList(list: unknown): readonly unknown[] {
    if (!Array.isArray(list)) throw this.#wrong("its coordinates are not lists of places");
    return list;
  }

  /** Keeps longitude and latitude alone. */
  #readPlace(place: unknown): Coordinate {
    const [longitude, latitude] = this.#readList(place);
    if (typeof longitude !== "number" || typeof latitude !== "number")
      throw this.#wrong("a place has no longitude and latitude");
    this.#points += 1;
    if (this.#points > overlayLimits.points) throw refuseManyPoints(this.#name);
    return [longitude, latitude];
  }

  #wrong(reason: string): Error {
    return refuse(this.#name, `is not valid GeoJSON: ${reason}`);
  }
}
