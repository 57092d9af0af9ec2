// Traces the outlines of runs of cells as rings along the cells' edges: closed, simple, and each hole with its shell.
// Cells that touch only at a corner belong to different polygons.
import type { ClassRuns } from "./cell-runs.ts";
import { findRoot, linkCorners, type Corners } from "./link-corners.ts";

/**
 * Corners of a ring in turn, as pairs of column and row of the grid's lines; the first is not repeated. Seen with north
 * up, a shell runs counterclockwise and a hole clockwise.
 */
export type CellRing = Int32Array;

export interface CellPolygon {
  readonly shell: CellRing;
  readonly holes: readonly CellRing[];
}

/** Returns the polygons of all runs, of whatever class; the northernmost first. */
export function traceRings(runs: ClassRuns): CellPolygon[] {
  const corners = linkCorners(runs);
  const shells = new Map<number, CellRing>();
  const holes = new Map<number, CellRing[]>();
  forEachRing(corners, (ring, run) => {
    const component = findRoot(corners.parents, run);
    if (doubleArea(ring) > 0) shells.set(component, ring);
    else if (holes.has(component)) holes.get(component)!.push(ring);
    else holes.set(component, [ring]);
  });
  return [...shells].map(([component, shell]) => ({ shell, holes: holes.get(component) ?? [] }));
}

/** Returns twice the area inside a ring, in cells; negative for a hole. */
export function doubleArea(ring: CellRing): number {
  let sum = 0;
  let column = ring[ring.length - 2]!;
  let row = ring[ring.length - 1]!;
  for (let at = 0; at < ring.length; at += 2) {
    // Rows count southward.
    sum += ring[at]! * row - column * ring[at + 1]!;
    column = ring[at]!;
    row = ring[at + 1]!;
  }
  return sum;
}

/**
 * Walks each outline once. One that comes back to a point is cut there, so that every ring is simple.
 * @param take gets a ring and a run of its component
 */
function forEachRing(corners: Corners, take: (ring: CellRing, run: number) => void): void {
  const { count, next, runs, twins } = corners;
  const isWalked = new Uint8Array(count);
  /** The place in `path` of each corner that has a twin. */
  const places = new Map<number, number>();
  const path: number[] = [];
  for (let first = 0; first < count; first++) {
    for (let corner = first; isWalked[corner] === 0; corner = next[corner]!) {
      isWalked[corner] = 1;
      const twin = twins[corner]!;
      if (twin >= 0) {
        const place = places.get(twin);
        if (place !== undefined) cutFrom(place);
        places.set(corner, path.length);
      }
      path.push(corner);
    }
    cutFrom(0);
  }

  function cutFrom(place: number): void {
    if (place === path.length) return;
    const ring = path.splice(place);
    for (const corner of ring) if (twins[corner]! >= 0) places.delete(corner);
    take(toPoints(corners, ring), runs[ring[0]!]!);
  }
}

function toPoints({ columns, rows }: Corners, ring: readonly number[]): CellRing {
  const points = new Int32Array(2 * ring.length);
  ring.forEach((corner, at) => {
    points[2 * at] = columns[corner]!;
    points[2 * at + 1] = rows[corner]!;
  });
  return points;
}
