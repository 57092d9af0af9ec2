// Probes a frame at a point: returns its class as a range, never a single value, or the reason for an empty cell. Where
// a pixel of the map covers many cells, the probe reads the highest around the point, as the map draws it. Pure.
import type { Bounds } from "../../shared/contract/index.ts";
import { isCovered } from "../../shared/frames/coverage-grid.ts";
import { mercatorY } from "../../shared/geo/mercator.ts";
import { earthRadiusKm, radPerDeg } from "../../shared/geo/sphere.ts";
import { colorOf, toColorTable } from "./color-table.ts";
import type { DecodedFrame, IndexedFrame } from "../frames/decoded-frame.ts";
import { copyBlock, readCell } from "../../shared/frames/index-grid.ts";
import type { Coloring, ProbeAnswer } from "./scene.ts";

export interface ProbePoint {
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
  /** Degrees of longitude in a pixel of the map, 0 if unknown: nobody can point more exactly. */
  readonly pixelDeg: number;
}

/** Probes a decoded frame whose picture has these outer edges. */
export function probeFrame(
  frame: DecodedFrame,
  bounds: Bounds,
  point: ProbePoint,
  coloring: Coloring,
): ProbeAnswer {
  if (frame.kind === "color") return { kind: "no-classes" };
  const { classes } = frame;
  const reach = classes ? reachCells(frame, bounds, point) : 0;
  const index = findIndex(frame, bounds, point, reach);
  if (!classes) return { kind: "no-classes" };
  if (index === undefined || index === 0) return answerNothing(frame, point);
  const from = classes.edges[index - 1];
  // An index beyond the class table is drawn, but its meaning is unknown.
  if (from === undefined) return { kind: "no-classes" };
  const color = colorOf(toColorTable(frame, coloring), index);
  const hidden = coloring.showFrom !== undefined && from < coloring.showFrom;
  const withinKm = reach > 0 ? pixelKm(point) : undefined;
  return { kind: "class", from, to: classes.edges[index], unit: classes.unit, color, hidden, withinKm };
}

/** Returns the cells to read on each side of the point: as many as a pixel has, 0 where it is no larger than one. */
function reachCells({ widthPx }: IndexedFrame, [west, , east]: Bounds, { pixelDeg }: ProbePoint): number {
  const cells = (pixelDeg * widthPx) / (east - west);
  return cells > 1 ? Math.round(cells) : 0;
}

function pixelKm({ latitudeDeg, pixelDeg }: ProbePoint): number {
  return pixelDeg * radPerDeg * earthRadiusKm * Math.cos(latitudeDeg * radPerDeg);
}

/**
 * Returns the palette index at a point, or undefined outside the picture. A point on an edge belongs to the cell
 * south or east. With a reach, it is the highest of all cells up to so many away.
 */
export function findIndex(
  frame: IndexedFrame,
  bounds: Bounds,
  { longitudeDeg, latitudeDeg }: Pick<ProbePoint, "longitudeDeg" | "latitudeDeg">,
  reach: number,
): number | undefined {
  const [west, south, east, north] = bounds;
  if (!(longitudeDeg >= west && longitudeDeg < east && latitudeDeg <= north && latitudeDeg > south))
    return undefined;
  const top = mercatorY(north);
  const down = (mercatorY(latitudeDeg) - top) / (mercatorY(south) - top);
  const row = Math.min(Math.floor(down * frame.heightPx), frame.heightPx - 1);
  const across = (longitudeDeg - west) / (east - west);
  const column = Math.min(Math.floor(across * frame.widthPx), frame.widthPx - 1);
  if (reach === 0) return readCell(frame.grid, row, column);
  const block = {
    rowStart: Math.max(0, row - reach),
    rowEnd: Math.min(frame.heightPx, row + reach + 1),
    columnStart: Math.max(0, column - reach),
    columnEnd: Math.min(frame.widthPx, column + reach + 1),
  };
  const cells = new Uint8Array((block.rowEnd - block.rowStart) * (block.columnEnd - block.columnStart));
  copyBlock(frame.grid, block, cells);
  return cells.reduce((most, index) => Math.max(most, index), 0);
}

function answerNothing({ classes, coverage }: IndexedFrame, point: ProbePoint): ProbeAnswer {
  if (!coverage || !classes) return { kind: "unexplained" };
  if (!isCovered(coverage, point.longitudeDeg, point.latitudeDeg)) return { kind: "outside-coverage" };
  return { kind: "below-first", firstEdge: classes.edges[0]!, unit: classes.unit };
}
