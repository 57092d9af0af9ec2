// Clips polygons to a box of longitude and latitude (Sutherland and Hodgman 1974), and rounds lines and polygons.
import type { Position } from "geojson";

/** `[west, south, east, north]` in degrees. */
export type Box = readonly [number, number, number, number];

/** A closed ring: the last position repeats the first. */
export type Ring = Position[];
export type Polygon = Ring[];

type Side = (position: Position) => number;

/** Returns the parts of the polygons inside the box, with edges along the box. */
export function clipPolygons(polygons: readonly Polygon[], box: Box): Polygon[] {
  const [west, south, east, north] = box;
  const sides: Side[] = [
    ([x]) => x! - west,
    ([x]) => east - x!,
    ([, y]) => y! - south,
    ([, y]) => north - y!,
  ];
  return polygons.flatMap((polygon) => {
    const rings = polygon.map((ring) => clipRing(ring, sides)).filter((ring) => ring.length >= 4);
    return rings.length > 0 ? [rings] : [];
  });
}

/** Returns the four boxes that cover the world outside `box`. */
export function boxesAround([west, south, east, north]: Box): Box[] {
  return [
    [-180, -90, west, 90],
    [east, -90, 180, 90],
    [west, -90, east, south],
    [west, north, east, 90],
  ];
}

function clipRing(ring: Ring, sides: readonly Side[]): Ring {
  let points = ring.slice(0, -1);
  for (const side of sides) points = clipAtSide(points, side);
  return points.length < 3 ? [] : [...points, points[0]!];
}

/** Keeps the part where `side` is not negative. */
function clipAtSide(points: readonly Position[], side: Side): Position[] {
  const kept: Position[] = [];
  points.forEach((point, index) => {
    const previous = points.at(index - 1)!;
    const here = side(point);
    const before = side(previous);
    if (here < 0 !== before < 0) {
      const t = before / (before - here);
      kept.push([
        previous[0]! + (point[0]! - previous[0]!) * t,
        previous[1]! + (point[1]! - previous[1]!) * t,
      ]);
    }
    if (here >= 0) kept.push(point);
  });
  return kept;
}

/** Rounds to 1/10,000 degree (11 m) and drops repeated positions. */
export function roundLine(line: readonly Position[]): Position[] {
  const rounded: Position[] = [];
  for (const [x, y] of line) {
    const point = [Math.round(x! * 1e4) / 1e4, Math.round(y! * 1e4) / 1e4];
    const last = rounded.at(-1);
    if (last?.[0] !== point[0] || last?.[1] !== point[1]) rounded.push(point);
  }
  return rounded;
}

/** Rounds all rings and drops the empty ones. */
export function roundPolygons(polygons: readonly Polygon[]): Polygon[] {
  return polygons.flatMap((polygon) => {
    const rings = polygon.map(roundLine).filter((ring) => ring.length >= 4);
    return rings.length > 0 ? [rings] : [];
  });
}
