// Writes assets/ground/interstates.json: the lines of the U.S. interstates, which come without numbers, each with the
// numbers of its routes. The lines are those of Boost.Geometry's routing example, under the Boost Software License:
//   apt-get download libboost1.81-doc && dpkg -x libboost1.81-doc_*.deb boost
//   find boost -name roads.wkt -exec node electron/build/atlas/make-interstates.ts {} +
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { distanceKm, kmPerMile } from "../../../shared/geo/sphere.ts";
import { projectRoot } from "../../platform/project-root.ts";
import interstateRoutes from "../../../assets/ground/interstate-routes.json" with { type: "json" };

type Point = readonly [longitude: number, latitude: number];

/** A route as a chain of places, so close that the shortest way between two of them is the route. */
interface InterstateRoute {
  readonly number: string;
  readonly along: readonly number[][];
}

interface Step {
  readonly to: number;
  readonly km: number;
  readonly line: number;
}

/** A place of a route must have a road as near as this. */
const nearestKm = 25;
const gapKm = 3;
const inGap = -1;

/** Returns a cell of a grid, in hundredths of the globe's width and height, wider than a gap. */
function cellOf([longitude, latitude]: Point): [number, number] {
  return [Math.floor(longitude * 20), Math.floor(latitude * 20)];
}

function parseLines(text: string): Point[][] {
  return [...text.matchAll(/^LINESTRING\((.*)\)\s*$/gm)].map(([, points]) =>
    points!.split(",").map((point): Point => {
      const [longitude, latitude] = point.trim().split(/\s+/).map(Number);
      if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) throw new Error(`Not a point: ${point}`);
      return [longitude!, latitude!];
    }),
  );
}

/** The roads as a graph: each point of a line is a node. */
class Network {
  readonly points: Point[] = [];
  readonly #nodes = new Map<string, number>();
  readonly #steps: Step[][] = [];

  constructor(lines: readonly Point[][]) {
    lines.forEach((points, line) => {
      for (let at = 1; at < points.length; at++) {
        const [from, to] = [this.#nodeOf(points[at - 1]!), this.#nodeOf(points[at]!)];
        const km = distanceKm(points[at - 1]!, points[at]!);
        this.#steps[from]!.push({ to, km, line });
        this.#steps[to]!.push({ to: from, km, line });
      }
    });
  }

  /** Connects lines that pass near each other: the source has no common point at some interchanges. */
  closeGaps(): void {
    const byCell = Map.groupBy(this.points.keys(), (node) => cellOf(this.points[node]!).join());
    this.points.forEach((point, node) => {
      const own = new Set(this.#steps[node]!.map(({ line }) => line));
      const [column, row] = cellOf(point);
      for (const x of [column - 1, column, column + 1]) {
        for (const other of [row - 1, row, row + 1].flatMap((y) => byCell.get(`${x},${y}`) ?? [])) {
          if (other <= node || this.#steps[other]!.some(({ line }) => own.has(line))) continue;
          const km = distanceKm(point, this.points[other]!);
          if (km > gapKm) continue;
          this.#steps[node]!.push({ to: other, km, line: inGap });
          this.#steps[other]!.push({ to: node, km, line: inGap });
        }
      }
    });
  }

  #nodeOf(point: Point): number {
    const key = point.join();
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    this.#nodes.set(key, this.points.length);
    this.#steps.push([]);
    return this.points.push(point) - 1;
  }

  findNearest(place: Point): number {
    let best = 0;
    let bestKm = Infinity;
    this.points.forEach((point, node) => {
      if (Math.abs(point[1] - place[1]) > 0.5) return;
      const km = distanceKm(point, place);
      if (km < bestKm) [best, bestKm] = [node, km];
    });
    if (bestKm > nearestKm) throw new Error(`No road within ${nearestKm} km of ${place.join()}.`);
    return best;
  }

  /** Returns the lines of the shortest way and the length along each (Dijkstra). */
  findWay(from: number, to: number): ReadonlyMap<number, number> {
    const lengths = new Map<number, number>([[from, 0]]);
    const cameBy = new Map<number, { readonly node: number; readonly step: Step }>();
    const open = new Heap();
    open.push(0, from);
    for (let next = open.pop(); next !== undefined && next.node !== to; next = open.pop()) {
      if (next.km > lengths.get(next.node)!) continue;
      for (const step of this.#steps[next.node]!) {
        const km = next.km + step.km;
        if (km >= (lengths.get(step.to) ?? Infinity)) continue;
        lengths.set(step.to, km);
        cameBy.set(step.to, { node: next.node, step });
        open.push(km, step.to);
      }
    }
    const along = new Map<number, number>();
    for (let node = to; node !== from;) {
      const came = cameBy.get(node);
      if (came === undefined)
        throw new Error(`No way from ${this.points[from]!.join()} to ${this.points[to]!.join()}.`);
      along.set(came.step.line, (along.get(came.step.line) ?? 0) + came.step.km);
      node = came.node;
    }
    return along;
  }
}

/** A binary heap of nodes by length. */
class Heap {
  readonly #items: { readonly km: number; readonly node: number }[] = [];

  push(km: number, node: number): void {
    const items = this.#items;
    let at = items.push({ km, node }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]!.km <= items[at]!.km) return;
      [items[parent], items[at]] = [items[at]!, items[parent]!];
      at = parent;
    }
  }

  pop(): { readonly km: number; readonly node: number } | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    items[0] = last;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < items.length && items[child]!.km < items[least]!.km) least = child;
      }
      if (least === at) return first;
      [items[at], items[least]] = [items[least]!, items[at]!];
      at = least;
    }
  }
}

/** Returns the lines of a route with the length along each, in kilometers. */
function findRoute(network: Network, { along }: InterstateRoute): ReadonlyMap<number, number> {
  const nodes = along.map(([longitude, latitude]) => network.findNearest([longitude!, latitude!]));
  const lines = new Map<number, number>();
  for (let at = 1; at < nodes.length; at++) {
    for (const [line, km] of network.findWay(nodes[at - 1]!, nodes[at]!)) {
      lines.set(line, (lines.get(line) ?? 0) + km);
    }
  }
  return lines;
}

/** Leaves out points that lie nearer than `tolerance` degrees to the line (Douglas and Peucker). */
function simplify(points: readonly Point[], tolerance: number): Point[] {
  const first = points[0]!;
  const last = points.at(-1)!;
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy);
  let farthest = 0;
  let distance = tolerance;
  points.slice(1, -1).forEach(([x, y], index) => {
    const off =
      length === 0
        ? Math.hypot(x - first[0], y - first[1])
        : Math.abs((x - first[0]) * dy - (y - first[1]) * dx) / length;
    if (off > distance) [farthest, distance] = [index + 1, off];
  });
  if (farthest === 0) return [first, last];
  return [
    ...simplify(points.slice(0, farthest + 1), tolerance),
    ...simplify(points.slice(farthest), tolerance).slice(1),
  ];
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Name the roads.wkt of Boost.Geometry's examples.");
const lines = parseLines(readFileSync(source, "utf8"));
const network = new Network(lines);
network.closeGaps();
const numbers = lines.map((): Set<string> => new Set());
const lengths = lines.map((points) =>
  points.slice(1).reduce((sum, point, at) => sum + distanceKm(points[at]!, point), 0),
);
const faults: string[] = [];
for (const route of interstateRoutes) {
  const found = findRoute(network, route);
  const miles = [...found.values()].reduce((sum, km) => sum + km, 0) / kmPerMile;
  const off = miles / route.miles - 1;
  const report = `I-${route.number}: ${miles.toFixed(0)} of ${route.miles} miles (${(off * 100).toFixed(1)} %)`;
  if (Math.abs(off) > 0.1) faults.push(report);
  for (const [line, km] of found)
    if (line !== inGap && km > lengths[line]! / 2) numbers[line]!.add(route.number);
}
if (faults.length > 0) throw new Error(`More than 10 % off:\n${faults.join("\n")}`);
const rows = lines.map((points, index) =>
  JSON.stringify({ routes: [...numbers[index]!], line: simplify(points, 0.0015) }),
);
writeFileSync(join(projectRoot, "assets", "ground", "interstates.json"), `[\n  ${rows.join(",\n  ")}\n]\n`);
