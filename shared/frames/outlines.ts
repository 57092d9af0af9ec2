// The contours that map and stills draw where a forecaster watches for a class: an inch and two inches of hail. A
// contour lies around its classes, on the side of the lower ones, so that no pixel of a higher class is covered.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import { getProduct } from "../products/registry.ts";

/** Least width of an outlined cell, in CSS pixels: where a cell is a pixel, a line would hide its neighbors. */
const leastCellPx = 1.5;
/** Width of a cell, in CSS pixels, that a line of two pixels leaves in view. */
const roomyCellPx = 6;

/** The half of a line next to the higher class, and the other; a line of one pixel is dark. `#rrggbb`. */
export const outlineColors = { light: "#f4f8fb", dark: "#05080c" } as const;

/** Returns the width of the lines in CSS pixels for a cell's width: 0, 1 or 2. */
export function outlineWidthPx(cellPx: number): number {
  if (cellPx < leastCellPx) return 0;
  return cellPx < roomyCellPx ? 1 : 2;
}

/**
 * Returns the palette index of the lowest class inside each contour, ascending; at most two. A contour of hidden
 * classes, below `showFrom` in the product's unit, is left out.
 */
export function findOutlined({ product, edges }: FrameClasses, showFrom: number | undefined): number[] {
  return getProduct(product).stops.flatMap(({ from, threshold }) => {
    if (!threshold || from < (showFrom ?? -Infinity)) return [];
    const first = edges.findIndex((edge) => edge >= from);
    return first < 0 ? [] : [first + 1];
  });
}

/** Width of the line around everything that is drawn, in CSS pixels; it sets the storm of now off from a swath. */
export const edgeWidthPx = 2;

/** Returns the palette index of the lowest class that is drawn: everything above is inside one contour. */
export function findEdge({ edges }: FrameClasses, showFrom = -Infinity): number[] {
  const first = edges.findIndex((edge) => edge >= showFrom);
  return first < 0 ? [] : [first + 1];
}

export interface OutlineWork {
  /** Palette indices, row-major. */
  readonly indices: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The result of `findOutlined`. */
  readonly outlined: readonly number[];
  readonly linePx: number;
}

/**
 * Returns for each pixel its distance to the higher side of the nearest contour, in pixels up to `linePx`; 0 for a
 * pixel without a line. The same as the fragment shader's `distanceInside`.
 */
export function traceOutlines({ indices, widthPx, heightPx, outlined, linePx }: OutlineWork): Uint8Array {
  const distances = new Uint8Array(indices.length);
  const lowest = outlined[0] ?? Infinity;
  const neighbors = findNeighbors(linePx);
  // A plain loop: most pixels of a large picture are below.
  for (let at = 0; at < indices.length; at++) {
    const inner = indices[at]!;
    if (inner < lowest) continue;
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    for (const { right, down, away } of neighbors) {
      const [outerX, outerY] = [x + right, y + down];
      if (outerX < 0 || outerY < 0 || outerX >= widthPx || outerY >= heightPx) continue;
      const outer = outerY * widthPx + outerX;
      const isCrossed = outlined.some((edge) => indices[outer]! < edge && inner >= edge);
      const known = distances[outer]!;
      if (isCrossed && (known === 0 || away < known)) distances[outer] = away;
    }
  }
  return distances;
}

interface Neighbor {
  readonly right: number;
  readonly down: number;
  /** The longer of the two distances. */
  readonly away: number;
}

/** Returns all pixels of the square around a pixel that are at most `most` away. */
function findNeighbors(most: number): Neighbor[] {
  const steps = Array.from({ length: 2 * most + 1 }, (_, index) => index - most);
  return steps
    .flatMap((down) =>
      steps.map((right) => ({ right, down, away: Math.max(Math.abs(right), Math.abs(down)) })),
    )
    .filter(({ away }) => away > 0);
}
