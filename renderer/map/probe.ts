// Probes a frame at a point: returns its class as a range, never a single value, or the reason for an empty cell. Pure.
import type { Bounds } from "../../shared/contract/index.ts";
import { isCovered } from "../../shared/frames/coverage-grid.ts";
import { mercatorY } from "../../shared/geo/mercator.ts";
import { colorOf, toColorTable } from "./color-table.ts";
import type { DecodedFrame, IndexedFrame } from "./decoded-frame.ts";
import { readCell } from "./index-grid.ts";
import type { Coloring, ProbeAnswer } from "./scene.ts";

export interface ProbePoint {
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
}

/** Probes a decoded frame whose picture has these outer edges. */
export function probeFrame(
  frame: DecodedFrame,
  bounds: Bounds,
  point: ProbePoint,
  coloring: Coloring,
): ProbeAnswer {
  if (frame.kind === "color") return { kind: "no-classes" };
  const index = findIndex(frame, bounds, point);
  const { classes } = frame;
  if (!classes) return { kind: "no-classes" };
  if (index === undefined || index === 0) return answerNothing(frame, point);
  const from = classes.edges[index - 1];
  // An index beyond the class table is drawn, but its meaning is unknown.
  if (from === undefined) return { kind: "no-classes" };
  const color = colorOf(toColorTable(frame, coloring), index);
  const hidden = coloring.showFrom !== undefined && from < coloring.showFrom;
  return { kind: "class", from, to: classes.edges[index], unit: classes.unit, color, hidden };
}

/**
 * Returns the palette index at a point, or undefined outside the picture. A point on an edge belongs to the cell
 * south or east.
 */
export function findIndex(
  frame: IndexedFrame,
  bounds: Bounds,
  { longitudeDeg, latitudeDeg }: ProbePoint,
): number | undefined {
  const [west, south, east, north] = bounds;
  if (!(longitudeDeg >= west && longitudeDeg < east && latitudeDeg <= north && latitudeDeg > south))
    return undefined;
  const top = mercatorY(north);
  const down = (mercatorY(latitudeDeg) - top) / (mercatorY(south) - top);
  const row = Math.floor(down * frame.heightPx);
  const column = Math.floor(((longitudeDeg - west) / (east - west)) * frame.widthPx);
  return readCell(frame.grid, Math.min(row, frame.heightPx - 1), Math.min(column, frame.widthPx - 1));
}

function answerNothing({ classes, coverage }: IndexedFrame, point: ProbePoint): ProbeAnswer {
  if (!coverage || !classes) return { kind: "unexplained" };
  if (!isCovered(coverage, point.longitudeDeg, point.latitudeDeg)) return { kind: "outside-coverage" };
  return { kind: "below-first", firstEdge: classes.edges[0]!, unit: classes.unit };
}
