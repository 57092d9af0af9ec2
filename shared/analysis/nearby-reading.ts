// The largest class within a short distance of a place: a storm core beside the place counts.
import type { Bounds, Coordinate } from "../contract/primitives.ts";
import { isCovered } from "../frames/coverage-grid.ts";
import { readCell } from "../frames/index-grid.ts";
import { findCell, intersectBlocks, unionBlocks, type CellBlock, type LatLonGrid } from "../geo/grid.ts";
import { distanceKm, earthRadiusKm, radPerDeg } from "../geo/sphere.ts";
import { blockWithin, cellCenter, toClassRange, type CellFrame } from "./cell-frame.ts";
import { readPlace, type PlaceReading } from "./place-reading.ts";

/** Distance within which a cell's center is near. */
export const nearbyKm = 5;

/**
 * Returns the highest class of the cells near a place; the cell of the place always counts. Without a class, "below"
 * holds only if radars see the place and the points 5 km north, south, east and west of it.
 */
export function readNearby(frame: CellFrame, place: Coordinate): PlaceReading {
  const own = readPlace(frame, place);
  const { cells, block, grid, pixelRows, classes, coverage } = frame;
  let index = own.kind === "class" ? own.index : 0;
  const near = cells ? intersectBlocks(block, blockNear(cells, place)) : block;
  for (let row = near.rowStart; cells && row < near.rowEnd; row++) {
    for (let column = near.columnStart; column < near.columnEnd; column++) {
      const found = readCell(grid, pixelRows[row - block.rowStart]!, column - block.columnStart);
      if (found > index && distanceKm(cellCenter(cells, row, column), place) <= nearbyKm) index = found;
    }
  }
  const range = toClassRange(classes, index);
  if (range) return { kind: "class", index, range };
  const [west, south, east, north] = boundsNear(place);
  const [longitude, latitude] = place;
  const around = [place, [west, latitude], [east, latitude], [longitude, south], [longitude, north]] as const;
  const isSeen = around.every(([lon, lat]) => isCovered(coverage, lon, lat));
  return { kind: isSeen ? "below" : "outside-coverage" };
}

/** Returns the cells that may be near a place, its own included; empty if the grid is elsewhere. */
export function blockNear(cells: LatLonGrid, place: Coordinate): CellBlock {
  const near = blockWithin(cells, boundsNear(place));
  const own = findCell(cells, ...place);
  if (!own) return near;
  const { row, column } = own;
  return unionBlocks(near, {
    rowStart: row,
    rowEnd: row + 1,
    columnStart: column,
    columnEnd: column + 1,
  });
}

function boundsNear([longitude, latitude]: Coordinate): Bounds {
  const acrossDeg = nearbyKm / (earthRadiusKm * radPerDeg);
  const wideDeg = acrossDeg / Math.cos(Math.min(89, Math.abs(latitude) + acrossDeg) * radPerDeg);
  return [longitude - wideDeg, latitude - acrossDeg, longitude + wideDeg, latitude + acrossDeg];
}
