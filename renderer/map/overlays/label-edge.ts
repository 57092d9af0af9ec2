// Finds the edge of an area along which its words stand: long, rather level than steep, and rather at the top. Pure.
import type { Coordinate } from "../../../shared/contract/primitives.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";

export interface LabelEdge {
  /** From west to east. */
  readonly line: readonly Coordinate[];
  /** The side of the line that is inside the area. */
  readonly inside: "below" | "above";
}

/** Largest turn within an edge, in radians. */
const mostTurn = Math.PI / 15;

/** Returns undefined for a ring without extent. */
export function findLabelEdge(ring: readonly Coordinate[]): LabelEdge | undefined {
  const points = ring.map(([longitude, latitude]) => [mercatorX(longitude), mercatorY(latitude)] as const);
  let [top, bottom] = [Infinity, -Infinity];
  for (const [, y] of points) [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  const middle = (top + bottom) / 2;
  let best: { from: number; to: number; score: number } | undefined;
  for (let from = 0; from < points.length - 1;) {
    const to = findEnd(points, from);
    const [x0, y0] = points[from]!;
    const [x1, y1] = points[to]!;
    const length = Math.hypot(x1 - x0, y1 - y0);
    const level = length === 0 ? 0 : Math.abs(x1 - x0) / length;
    const score = length * (0.3 + level) * ((y0 + y1) / 2 < middle ? 1.2 : 1);
    if (score > (best?.score ?? 0)) best = { from, to, score };
    from = to;
  }
  if (!best) return undefined;
  const line = ring.slice(best.from, best.to + 1);
  const isEastward = line.at(-1)![0] >= line[0]![0];
  const y = (points[best.from]![1] + points[best.to]![1]) / 2;
  return { line: isEastward ? line : line.toReversed(), inside: y < middle ? "below" : "above" };
}

export interface EdgeMiddle {
  readonly at: Coordinate;
  /** Clockwise, of words that follow the edge. */
  readonly rotateDeg: number;
  /** Length in widths of the world. */
  readonly length: number;
}

/** Returns where words stand that follow an edge without its bends. */
export function toEdgeMiddle(line: LabelEdge["line"]): EdgeMiddle {
  const [from, to] = [line[0]!, line.at(-1)!];
  const xSpan = mercatorX(to[0]) - mercatorX(from[0]);
  const ySpan = mercatorY(to[1]) - mercatorY(from[1]);
  return {
    at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2],
    rotateDeg: (Math.atan2(ySpan, xSpan) * 180) / Math.PI,
    length: Math.hypot(xSpan, ySpan),
  };
}

/** Returns the last point up to which the ring goes on in nearly the same direction. */
function findEnd(points: readonly (readonly [number, number])[], from: number): number {
  const directionOf = (at: number): number => {
    const [x0, y0] = points[at]!;
    const [x1, y1] = points[at + 1]!;
    return Math.atan2(y1 - y0, x1 - x0);
  };
  const first = directionOf(from);
  let to = from + 1;
  while (to < points.length - 1) {
    const turn = Math.abs(directionOf(to) - first);
    if (Math.min(turn, 2 * Math.PI - turn) > mostTurn) break;
    to += 1;
  }
  return to;
}
