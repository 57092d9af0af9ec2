// Finds the shapes at a point of the map, and the box around a shape. Pure.
import type { Bounds, Coordinate } from "../../../shared/contract/primitives.ts";
import { mercatorY } from "../../../shared/geo/mercator.ts";
import type { OverlayShape } from "../../../shared/overlays/overlay.ts";

const known = new WeakMap<OverlayShape, Bounds>();

export function boundsOfShape(shape: OverlayShape): Bounds {
  let bounds = known.get(shape);
  if (!bounds) {
    bounds = findBounds(linesOf(shape));
    known.set(shape, bounds);
  }
  return bounds;
}

/** Returns the lines of a shape: the rings of an area, or one line, which for a point has one coordinate. */
function linesOf({ geometry }: OverlayShape): readonly (readonly Coordinate[])[] {
  if (geometry.type === "Polygon") return geometry.coordinates;
  return [geometry.type === "Point" ? [geometry.coordinates] : geometry.coordinates];
}

function findBounds(lines: readonly (readonly Coordinate[])[]): Bounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    for (const [longitude, latitude] of line) {
      if (longitude < west) west = longitude;
      if (longitude > east) east = longitude;
      if (latitude < south) south = latitude;
      if (latitude > north) north = latitude;
    }
  }
  return [west, south, east, north];
}

export interface HitPlace {
  readonly coordinate: Coordinate;
  /** Degrees of longitude in a CSS pixel. */
  readonly pixelDeg: number;
}

/** Distances within which a person points at a line and at a sign, in CSS pixels. */
const linePx = 6;
const signPx = 12;

/** True if the place is in the area, or on the line or the sign as far as a hand can tell. */
export function isShapeAt(
  shape: OverlayShape,
  { coordinate: [longitude, latitude], pixelDeg }: HitPlace,
): boolean {
  const { type } = shape.geometry;
  const roomPx = type === "Point" ? signPx : linePx;
  const roomDeg = roomPx * pixelDeg;
  const [west, south, east, north] = boundsOfShape(shape);
  // A pixel has fewer degrees of latitude than of longitude.
  if (longitude < west - roomDeg || longitude > east + roomDeg) return false;
  if (latitude < south - roomDeg || latitude > north + roomDeg) return false;
  const at = toPlane([longitude, latitude]);
  const lines = linesOf(shape).map((line) => line.map(toPlane));
  if (type === "Polygon" && isInside(lines, at)) return true;
  return lines.some((line) => distanceTo(line, at) <= roomDeg);
}

type Point = readonly [x: number, y: number];

/** Returns a place in degrees of longitude on the map's plane. */
function toPlane([longitude, latitude]: Coordinate): Point {
  return [longitude, 360 * mercatorY(latitude)];
}

/** Counts how often a ray to the east crosses the rings: holes are outside. */
function isInside(rings: readonly (readonly Point[])[], [x, y]: Point): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const [x0, y0] = ring[before]!;
      const [x1, y1] = ring[at]!;
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)) inside = !inside;
    }
  }
  return inside;
}

function distanceTo(line: readonly Point[], [x, y]: Point): number {
  let least = Infinity;
  for (let at = 0; at < line.length; at++) {
    const [x0, y0] = line[Math.max(0, at - 1)]!;
    const [x1, y1] = line[at]!;
    const lengthSquared = (x1 - x0) ** 2 + (y1 - y0) ** 2;
    const share = lengthSquared === 0 ? 0 : ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / lengthSquared;
    const along = Math.min(1, Math.max(0, share));
    least = Math.min(least, Math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)));
  }
  return least;
}

/** Returns the shapes at a place, the smallest first: signs, then lines, then areas. */
export function findShapesAt(shapes: readonly OverlayShape[], place: HitPlace): OverlayShape[] {
  return shapes
    .filter((shape) => isShapeAt(shape, place))
    .sort((first, second) => toRank(first) - toRank(second));
}

function toRank(shape: OverlayShape): number {
  if (shape.geometry.type !== "Polygon") return shape.geometry.type === "Point" ? -2 : -1;
  const [west, south, east, north] = boundsOfShape(shape);
  return (east - west) * (north - south);
}
