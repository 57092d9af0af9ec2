// Which frames can be compared cell by cell, and the reason for those that cannot.
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import type { CellFrame } from "./cell-frame.ts";

/** A frame without its picture. */
export type FrameGround = Pick<CellFrame, "classes" | "coverage" | "cells">;

/** Returns a sentence, or undefined if the two have the same classes, the same whole grid and the same cells. */
export function whyIncomparable(first: FrameGround, second: FrameGround): string | undefined {
  if (!hasSameClasses(first, second)) return "The two frames have different classes.";
  if (!hasSameWhole(first.coverage, second.coverage)) return "The two frames are of different grids.";
  if (!hasSameCells(first, second)) return "The two frames have cells of different sizes.";
  return undefined;
}

/** Returns true if the two frames can be compared cell by cell. */
export function isSameGround(first: FrameGround, second: FrameGround): boolean {
  return whyIncomparable(first, second) === undefined;
}

function hasSameClasses({ classes: first }: FrameGround, { classes: second }: FrameGround): boolean {
  return (
    first.product === second.product &&
    first.unit === second.unit &&
    first.edges.length === second.edges.length &&
    first.edges.every((edge, index) => edge === second.edges[index])
  );
}

function hasSameWhole(first: CoverageGrid, second: CoverageGrid): boolean {
  const isSameSize = first.width === second.width && first.height === second.height;
  return isSameSize && first.bounds.every((edge, index) => edge === second.bounds[index]);
}

/** A frame that draws nothing fits cells of any size. */
function hasSameCells({ cells: first }: FrameGround, { cells: second }: FrameGround): boolean {
  if (!first || !second) return true;
  return first.spacingXUdeg === second.spacingXUdeg && first.spacingYUdeg === second.spacingYUdeg;
}
