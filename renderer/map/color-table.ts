// The colors of a frame's palette indices: those in the PNG, or those of the palette or table that the person chose,
// without the classes that the person hides. Pure.
import type { FrameClasses } from "../../shared/contract/index.ts";
import { toChangeTable, toGrayTable, toSoFarTable } from "../../shared/analysis/analysis-colors.ts";
import { colorClasses } from "../../shared/frames/class-colors.ts";
import type { IndexedFrame } from "../frames/decoded-frame.ts";
import type { Coloring } from "./scene.ts";

interface ColorTable {
  readonly coloring: Coloring;
  readonly entries: Uint8Array<ArrayBuffer>;
}

/** The last table of each frame, so that a frame returns the same array each time it is drawn. */
const lastTables = new WeakMap<IndexedFrame, ColorTable>();

/**
 * Returns 256 RGBA entries, not premultiplied. A frame without a class table keeps its own colors, all of them: their
 * meaning is unknown.
 */
export function toColorTable(frame: IndexedFrame, coloring: Coloring): Uint8Array<ArrayBuffer> {
  const last = lastTables.get(frame);
  if (last && isSameColoring(last.coloring, coloring)) return last.entries;
  const entries = createTable(frame, coloring);
  lastTables.set(frame, { coloring, entries });
  return entries;
}

export function isSameColoring(a: Coloring, b: Coloring): boolean {
  return (
    a.palette === b.palette &&
    a.theme === b.theme &&
    a.ownTables === b.ownTables &&
    a.showFrom === b.showFrom &&
    a.isEdged === b.isEdged
  );
}

function createTable(
  { palette: published, classes, changeUnit }: IndexedFrame,
  coloring: Coloring,
): Uint8Array<ArrayBuffer> {
  const { palette, showFrom = -Infinity } = coloring;
  if (changeUnit !== undefined) return toChangeTable(changeUnit, showFrom);
  if (!classes || (palette === "published" && showFrom === -Infinity)) return published;
  const table = colorAll(published, classes, coloring);
  classes.edges.forEach((edge, index) => {
    if (edge < showFrom) table[(index + 1) * 4 + 3] = 0;
  });
  return table;
}

function colorAll(
  published: Uint8Array<ArrayBuffer>,
  classes: FrameClasses,
  { palette, theme, ownTables }: Coloring,
): Uint8Array<ArrayBuffer> {
  if (palette === "published") return published.slice();
  if (palette === "gray") return toGrayTable(classes, theme);
  if (palette === "so-far") return toSoFarTable(classes);
  return colorClasses(published, classes, { palette, theme, ownTables });
}

/** Returns an entry as `#rrggbb`, without its alpha. */
export function colorOf(table: Uint8Array, index: number): string {
  const [red, green, blue] = table.subarray(index * 4, index * 4 + 3);
  return `#${[red!, green!, blue!].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
