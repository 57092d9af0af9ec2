// The connected areas of cells at or above a class, in a part of a frame: the storms that a watch rule looks for. Cells
// are connected if they touch, also at a corner.
import { isCellCovered } from "../../frames/coverage-grid.ts";
import type { Bounds, Coordinate } from "../../contract/primitives.ts";
import { intersectBlocks } from "../../geo/grid.ts";
import { distanceKm, earthRadiusKm, radPerDeg } from "../../geo/sphere.ts";
import { blockWithin, cellCenter, toClassRange, type CellFrame, type ClassRange } from "../cell-frame.ts";
import { RowRuns } from "../row-runs.ts";

/** A part of the ground; without bounds and center the whole frame. */
export interface WatchedGround {
  readonly within?: Bounds | undefined;
  readonly around?: { readonly center: Coordinate; readonly km: number } | undefined;
}

export interface MatchingArea {
  /** The highest class in it. */
  readonly range: ClassRange;
  /** A cell with that class. */
  readonly peak: Coordinate;
  /** Centers of some of its cells, at least one in each tenth of a degree that it reaches. */
  readonly points: readonly Coordinate[];
}

interface Segment {
  readonly row: number;
  readonly start: number;
  end: number;
  highest: number;
  highestColumn: number;
  parent: Segment | undefined;
}

/**
 * Returns the areas whose cells have a class of at least `lower`, the highest first; of areas with one class, the
 * northernmost.
 * @param lower a lower edge in the layer's unit
 */
export function findMatchingAreas(frame: CellFrame, lower: number, ground: WatchedGround): MatchingArea[] {
  // Edges computed from inches differ in their last digits.
  const least = frame.classes.edges.findIndex((edge) => edge >= lower - 1e-6) + 1;
  if (least === 0 || !frame.cells) return [];
  const segments = findSegments(frame, least, ground);
  const groups = Map.groupBy(segments, rootOf);
  return [...groups.values()]
    .map((group) => toArea(frame, group))
    .toSorted((first, second) => second.range.lower - first.range.lower);
}

/** True if radars see any of the ground; a circle counts as the square around it. */
export function isAnyCovered({ coverage }: CellFrame, ground: WatchedGround): boolean {
  const bounds = boundsOf(ground) ?? coverage.bounds;
  const [west, south, east, north] = coverage.bounds;
  const across = (longitude: number): number => ((longitude - west) / (east - west)) * coverage.width;
  const down = (latitude: number): number => ((north - latitude) / (north - south)) * coverage.height;
  const lastColumn = Math.min(coverage.width, across(bounds[2]));
  const lastRow = Math.min(coverage.height, down(bounds[1]));
  for (let row = Math.max(0, Math.floor(down(bounds[3]))); row < lastRow; row++) {
    for (let column = Math.max(0, Math.floor(across(bounds[0]))); column < lastColumn; column++) {
      if (isCellCovered(coverage, column, row)) return true;
    }
  }
  return false;
}

function boundsOf({ within, around }: WatchedGround): Bounds | undefined {
  if (!around) return within;
  const [longitude, latitude] = around.center;
  const acrossDeg = around.km / (earthRadiusKm * radPerDeg);
  const wideDeg = acrossDeg / Math.cos(Math.min(89, Math.abs(latitude) + acrossDeg) * radPerDeg);
  return [longitude - wideDeg, latitude - acrossDeg, longitude + wideDeg, latitude + acrossDeg];
}

function findSegments(frame: CellFrame, least: number, ground: WatchedGround): Segment[] {
  const cells = frame.cells!;
  const bounds = boundsOf(ground);
  const block = bounds ? intersectBlocks(frame.block, blockWithin(cells, bounds)) : frame.block;
  const { around } = ground;
  const isIn = (row: number, column: number): boolean =>
    !around || distanceKm(cellCenter(cells, row, column), around.center) <= around.km;
  const runs = new RowRuns(frame);
  const segments: Segment[] = [];
  let above: Segment[] = [];
  for (let row = block.rowStart; row < block.rowEnd; row++) {
    runs.seek(row);
    const own: Segment[] = [];
    const add = (start: number, end: number, value: number): void => {
      const last = own.at(-1);
      if (last?.end !== start) {
        own.push({ row, start, end, highest: value, highestColumn: start, parent: undefined });
        return;
      }
      last.end = end;
      if (value <= last.highest) return;
      last.highest = value;
      last.highestColumn = start;
    };
    for (let run = 0, from = 0; from < block.columnEnd; from = runs.ends[run++]!) {
      const start = Math.max(from, block.columnStart);
      const end = Math.min(runs.ends[run]!, block.columnEnd);
      const value = runs.values[run]!;
      if (value < least || start >= end) continue;
      if (!around) add(start, end, value);
      else
        for (let column = start; column < end; column++)
          if (isIn(row, column)) add(column, column + 1, value);
    }
    for (const segment of own)
      for (const other of above)
        if (other.start <= segment.end && other.end >= segment.start) join(segment, other);
    segments.push(...own);
    above = own;
  }
  return segments;
}

function rootOf(segment: Segment): Segment {
  let root = segment;
  while (root.parent) root = root.parent;
  // The next search from here is short.
  if (segment !== root) segment.parent = root;
  return root;
}

function join(first: Segment, second: Segment): void {
  const [root, other] = [rootOf(first), rootOf(second)];
  if (root !== other) root.parent = other;
}

const pointsPerDegree = 10;

function toArea({ cells, classes }: CellFrame, group: readonly Segment[]): MatchingArea {
  const peak = group.reduce((best, segment) => (segment.highest > best.highest ? segment : best));
  const points = new Map<string, Coordinate>();
  const step = Math.max(1, Math.floor(1e6 / pointsPerDegree / cells!.spacingXUdeg));
  for (const { row, start, end } of group) {
    for (let column = start; column < end; column = Math.min(column + step, Math.max(column + 1, end - 1))) {
      const point = cellCenter(cells!, row, column);
      points.set(point.map((degrees) => Math.floor(degrees * pointsPerDegree)).join(), point);
    }
  }
  return {
    range: toClassRange(classes, peak.highest)!,
    peak: cellCenter(cells!, peak.row, peak.highestColumn),
    points: [...points.values()],
  };
}
