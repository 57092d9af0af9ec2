// Reads one frame around the place of a report: the largest class within some distances, and its nearest cell.
import {
  blockWithin,
  cellCenter,
  toClassRange,
  type CellFrame,
  type ClassRange,
} from "../analysis/cell-frame.ts";
import { readPlace, type PlaceReading } from "../analysis/place-reading.ts";
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import { copyBlock } from "../frames/index-grid.ts";
import { intersectBlocks, isEmptyBlock } from "../geo/grid.ts";
import { centralAngleRad, radPerDeg } from "../geo/sphere.ts";

/** Distances within which the largest class is told. */
export const reachesKm = [5, 10, 20] as const;
const farthestKm = 20;

/** Radius that reports are measured with. */
const radiusKm = 6371;
/** Room for the last digits of a computed distance and of a computed edge. */
const room = 1e-9;
const edgeRoomMm = 1e-6;

/** A place to read, and the size that was reported there. */
export interface ReportPlace {
  readonly coordinate: Coordinate;
  readonly sizeMm?: number | undefined;
}

export interface FoundCell {
  readonly range: ClassRange;
  /** From the place to the center of the cell. */
  readonly distanceKm: number;
  readonly center: Coordinate;
}

export interface AroundReading {
  readonly atPlace: PlaceReading;
  /** The nearest cell of the largest class within each of `reachesKm`; undefined if none has a class. */
  readonly largest: readonly (FoundCell | undefined)[];
  /** The nearest cell within 20 km whose class reaches the reported size; undefined without one, or without a size. */
  readonly ofSize: FoundCell | undefined;
}

/** Returns the length of the great circle, on the sphere that reports are measured on. */
export function reportDistanceKm(from: Coordinate, to: Coordinate): number {
  return radiusKm * centralAngleRad(from, to);
}

/** Returns true if a class holds sizes beyond this one. */
export function exceeds({ upper }: ClassRange, sizeMm: number): boolean {
  return upper === undefined || upper > sizeMm + edgeRoomMm;
}

interface Found {
  readonly index: number;
  readonly distanceKm: number;
  readonly row: number;
  readonly column: number;
}

export function readAround(frame: CellFrame, { coordinate, sizeMm }: ReportPlace): AroundReading {
  const { classes } = frame;
  const largest: (Found | undefined)[] = reachesKm.map(() => undefined);
  const fromIndex = sizeMm === undefined ? Infinity : findIndexOfSize(classes.edges, sizeMm);
  let ofSize: Found | undefined;
  visitRuns(frame, coordinate, (found) => {
    reachesKm.forEach((reach, at) => {
      if (found.distanceKm <= reach + room && isBetter(found, largest[at])) largest[at] = found;
    });
    if (found.index >= fromIndex && found.distanceKm < (ofSize?.distanceKm ?? farthestKm + room))
      ofSize = found;
  });
  const toCell = (found: Found | undefined): FoundCell | undefined =>
    found && {
      range: toClassRange(classes, found.index)!,
      distanceKm: found.distanceKm,
      center: cellCenter(frame.cells!, found.row, found.column),
    };
  return {
    atPlace: readPlace(frame, coordinate),
    largest: largest.map(toCell),
    ofSize: toCell(ofSize),
  };
}

function isBetter(found: Found, best: Found | undefined): boolean {
  if (!best || found.index !== best.index) return found.index > (best?.index ?? 0);
  return found.distanceKm < best.distanceKm;
}

/** Returns the lowest index whose class reaches a size. */
function findIndexOfSize(edges: readonly number[], sizeMm: number): number {
  const index = edges.findIndex((lower, at) => exceeds({ lower, upper: edges[at + 1] }, sizeMm));
  return index < 0 ? Infinity : index + 1;
}

/**
 * Visits the nearest cell of each run of equal classes in each row near a place: along a row, distance only rises to
 * either side.
 */
function visitRuns(frame: CellFrame, place: Coordinate, visit: (found: Found) => void): void {
  const { cells, block, grid, pixelRows, classes } = frame;
  if (!cells) return;
  const near = intersectBlocks(block, blockWithin(cells, boundsAround(place, farthestKm)));
  if (isEmptyBlock(near)) return;
  const columns = {
    columnStart: near.columnStart - block.columnStart,
    columnEnd: near.columnEnd - block.columnStart,
  };
  const indices = new Uint8Array(near.columnEnd - near.columnStart);
  const own = Math.round((place[0] * 1e6 - cells.westUdeg) / cells.spacingXUdeg - 0.5) - near.columnStart;
  for (let row = near.rowStart; row < near.rowEnd; row++) {
    const pixelRow = pixelRows[row - block.rowStart]!;
    copyBlock(grid, { rowStart: pixelRow, rowEnd: pixelRow + 1, ...columns }, indices);
    for (let start = 0; start < indices.length;) {
      const index = indices[start]!;
      let end = start + 1;
      while (end < indices.length && indices[end] === index) end += 1;
      if (index > 0 && index <= classes.edges.length) {
        const column = near.columnStart + Math.min(Math.max(own, start), end - 1);
        const distanceKm = reportDistanceKm(place, cellCenter(cells, row, column));
        visit({ index, distanceKm, row, column });
      }
      start = end;
    }
  }
}

/** Returns bounds that hold every point within a distance, with room for cells' centers between microdegrees. */
function boundsAround([longitude, latitude]: Coordinate, distanceKm: number): Bounds {
  const angle = distanceKm / radiusKm;
  const tallDeg = angle / radPerDeg + 2e-6;
  const ratio = Math.sin(angle) / Math.cos(latitude * radPerDeg);
  const wideDeg = Math.abs(latitude) + tallDeg < 90 ? Math.asin(Math.min(1, ratio)) / radPerDeg + 2e-6 : 180;
  return [longitude - wideDeg, latitude - tallDeg, longitude + wideDeg, latitude + tallDeg];
}
