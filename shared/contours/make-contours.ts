// The outlines of a swath at the levels of its layer. Each holds all cells of at least its level.
import type { Swath } from "../analysis/swath.ts";
import type { ProductId } from "../contract/primitives.ts";
import { findStop } from "../products/find-stop.ts";
import type { LatLonGrid } from "../geo/grid.ts";
import { defaultPalette, stopColors } from "../products/palettes.ts";
import { getProduct } from "../products/registry.ts";
import { toClassRuns, toRunsFrom } from "./cell-runs.ts";
import { contourLevels, type ContourLevel } from "./contour-levels.ts";
import { traceRings, type CellPolygon } from "./trace-rings.ts";

export interface Contour extends ContourLevel {
  /** Color of the level's class in the published palette, `#rrggbb` or `#rrggbbaa`. */
  readonly color: string;
  readonly polygons: readonly CellPolygon[];
}

export interface Contours {
  readonly layer: ProductId;
  readonly unit: string;
  /** Grid of the polygons' corners; undefined if nothing is drawn. */
  readonly cells: LatLonGrid | undefined;
  /** In ascending level, without those that no cell reaches. */
  readonly contours: readonly Contour[];
}

/** Outlines a swath. A level that is not an edge of the swath's classes is left out. */
export function makeContours({
  classes,
  cells,
  block,
  highest,
}: Pick<Swath, "classes" | "cells" | "block" | "highest">): Contours {
  const { product: layer, unit, edges } = classes;
  if (!cells) return { layer, unit, cells, contours: [] };
  const product = getProduct(layer);
  const colors = stopColors(product, defaultPalette);
  const contours: Contour[] = [];
  const runs = toClassRuns({ columns: cells.columns, block, indices: highest }, edges.length);
  for (const level of contourLevels(layer)) {
    const place = edges.indexOf(level.lower);
    if (place < 0) continue;
    const reached = toRunsFrom(runs, place + 1);
    if (reached.values.length === 0) break;
    const color = colors[findStop(product, level.lower)]!;
    contours.push({ ...level, color, polygons: traceRings(reached) });
  }
  return { layer, unit, cells, contours };
}
