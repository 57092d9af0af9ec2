// Plane geometry of states and counties in longitude and latitude: extent, inner point, and point in polygon.
import type { Bounds, Coordinate } from "../../../../shared/contract/primitives.ts";

/** GeoJSON geometry of an area (RFC 7946); positions are longitude, latitude. */
export type AreaGeometry =
  | { readonly type: "Polygon"; readonly coordinates: Ring[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: Ring[][] };

type Ring = number[][];

/** Returns polygons, each an outer ring and its holes. If the area crosses the antimeridian, only the western ones. */
export function toPolygons(geometry: AreaGeometry): Ring[][] {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  const western = polygons.filter((polygon) => polygon[0]!.every(([longitude]) => longitude! <= 0));
  return western.length > 0 ? western : polygons;
}

export function toBounds(polygons: readonly Ring[][]): Bounds {
  const bounds: Bounds = [180, 90, -180, -90];
  for (const [outer] of polygons) {
    for (const [longitude, latitude] of outer!) {
      bounds[0] = Math.min(bounds[0], longitude!);
      bounds[1] = Math.min(bounds[1], latitude!);
      bounds[2] = Math.max(bounds[2], longitude!);
      bounds[3] = Math.max(bounds[3], latitude!);
    }
  }
  return bounds;
}

export function contains(polygons: readonly Ring[][], point: readonly [number, number]): boolean {
  return polygons.some(
    ([outer, ...holes]) => isInRing(outer!, point) && !holes.some((hole) => isInRing(hole, point)),
  );
}

/** Counts crossings of a ray to the east (even-odd rule). */
function isInRing(ring: Ring, [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index, index += 1) {
    const [x1, y1] = ring[index] as [number, number];
    const [x2, y2] = ring[before] as [number, number];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

/**
 * Returns the centroid of the largest polygon or, if that is outside, the middle of the widest stretch at its latitude.
 * For an area that simplification flattened, returns the middle of its extent.
 */
export function toInnerPoint(polygons: readonly Ring[][]): Coordinate {
  const largest = polygons.reduce((best, polygon) =>
    Math.abs(toMoments(polygon[0]!).area) > Math.abs(toMoments(best[0]!).area) ? polygon : best,
  );
  const { area, x, y } = toMoments(largest[0]!);
  if (area === 0) {
    const [west, south, east, north] = toBounds([largest]);
    return [(west + east) / 2, (south + north) / 2];
  }
  const centroid: Coordinate = [x / area, y / area];
  return contains([largest], centroid)
    ? centroid
    : [middleOfWidestStretch(largest, centroid[1]), centroid[1]];
}

/** Returns signed area and first moments of a closed ring (shoelace formula). */
function toMoments(ring: Ring): { area: number; x: number; y: number } {
  let area = 0;
  let x = 0;
  let y = 0;
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [x1, y1] = ring[index] as [number, number];
    const [x2, y2] = ring[index + 1] as [number, number];
    const cross = x1 * y2 - x2 * y1;
    area += cross / 2;
    x += ((x1 + x2) * cross) / 6;
    y += ((y1 + y2) * cross) / 6;
  }
  return { area, x, y };
}

function middleOfWidestStretch(polygon: Ring[], latitude: number): number {
  const crossings = polygon
    .flatMap((ring) =>
      ring.slice(1).flatMap((end, index) => {
        const [x1, y1] = ring[index] as [number, number];
        const [x2, y2] = end as [number, number];
        return y1 > latitude === y2 > latitude ? [] : [((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1];
      }),
    )
    .sort((a, b) => a - b);
  let best = { width: -1, middle: crossings[0]! };
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const [west, east] = [crossings[index]!, crossings[index + 1]!];
    if (east - west > best.width) best = { width: east - west, middle: (west + east) / 2 };
  }
  return best.middle;
}
