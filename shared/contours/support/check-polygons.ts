// Checks polygons as OGC Simple Features demand, on their points alone and by slow and plain means.
import type { CellPolygon, CellRing } from "../trace-rings.ts";

type Point = readonly [x: number, y: number];

/** Returns the points of a ring with north up, the first one not repeated. */
export function toPoints(ring: CellRing): Point[] {
  return Array.from({ length: ring.length / 2 }, (_, at): Point => [ring[2 * at]!, -ring[2 * at + 1]!]);
}

/** Returns the unit edges of a ring as `x,y x,y` in the direction in which it runs. */
function toUnitEdges(ring: CellRing): string[] {
  const points = toPoints(ring);
  return points.flatMap(([x, y], at) => {
    const [nextX, nextY] = points[(at + 1) % points.length]!;
    const [stepX, stepY] = [Math.sign(nextX - x), Math.sign(nextY - y)];
    const length = Math.abs(nextX - x) + Math.abs(nextY - y);
    return Array.from(
      { length },
      (_, step) =>
        `${x + stepX * step},${y + stepY * step} ${x + stepX * (step + 1)},${y + stepY * (step + 1)}`,
    );
  });
}

/** Returns each point of the grid that a ring passes, once each time. */
function toPassedPoints(ring: CellRing): string[] {
  return toUnitEdges(ring).map((edge) => edge.split(" ")[0]!);
}

/** Returns true if the point is inside, by the number of edges to its east. It must lie on no edge. */
export function isInside(ring: CellRing, [x, y]: Point): boolean {
  const points = toPoints(ring);
  let inside = false;
  points.forEach(([ax, ay], at) => {
    const [bx, by] = points[(at + 1) % points.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}

export function isInPolygon({ shell, holes }: CellPolygon, point: Point): boolean {
  return isInside(shell, point) && !holes.some((hole) => isInside(hole, point));
}

/** Returns twice the area by the surveyor's formula: positive if the ring runs counterclockwise. */
export function signedDoubleArea(ring: CellRing): number {
  const points = toPoints(ring);
  return points.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = points[(at + 1) % points.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** Returns what is wrong with a multipolygon; nothing if it is valid. */
export function findFaults(polygons: readonly CellPolygon[]): string[] {
  const rings = polygons.flatMap(({ shell, holes }) => [shell, ...holes]);
  const edges = rings.flatMap(toUnitEdges).map((edge) => edge.split(" ").toSorted().join(" "));
  const shared = new Set(edges).size === edges.length ? [] : ["two rings share an edge"];
  return [...shared, ...rings.flatMap(findRingFaults), ...polygons.flatMap(findPolygonFaults)];
}

function findRingFaults(ring: CellRing): string[] {
  const passed = toPassedPoints(ring);
  const faults = new Set(passed).size === passed.length ? [] : ["a ring passes a point twice"];
  if (ring.length < 8) faults.push("a ring has fewer than four corners");
  toPoints(ring).forEach(([x, y], at, points) => {
    const before = points.at(at - 1)!;
    const after = points[(at + 1) % points.length]!;
    if ((before[0] === x && after[0] === x) || (before[1] === y && after[1] === y))
      faults.push(`${x},${y} is no corner`);
  });
  return faults;
}

function findPolygonFaults({ shell, holes }: CellPolygon): string[] {
  const faults: string[] = [];
  if (signedDoubleArea(shell) <= 0) faults.push("a shell runs clockwise");
  const shellPoints = new Set(toPassedPoints(shell));
  holes.forEach((hole, index) => {
    if (signedDoubleArea(hole) >= 0) faults.push("a hole runs counterclockwise");
    if (!isInside(shell, innerPoint(hole))) faults.push("a hole lies outside its shell");
    const touched = toPassedPoints(hole).filter((point) => shellPoints.has(point));
    if (touched.length > 1) faults.push("a hole cuts its shell in two");
    const others = holes.filter((_, other) => other !== index);
    if (others.some((other) => isInside(other, innerPoint(hole)))) faults.push("a hole lies in a hole");
  });
  return faults;
}

/** Returns a point inside a ring, beside its first corner. */
function innerPoint(ring: CellRing): Point {
  const [x, y] = toPoints(ring)[0]!;
  const around: Point[] = [
    [x + 0.5, y + 0.5],
    [x + 0.5, y - 0.5],
    [x - 0.5, y + 0.5],
    [x - 0.5, y - 0.5],
  ];
  return around.find((point) => isInside(ring, point))!;
}
