// The colors of what is made of frames: the storm in gray under its changes, the changes, and the highest so far. None
// is a color of a product's palette.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import { findStop } from "../products/find-stop.ts";
import { changeColors } from "../products/change-colors.ts";
import { toRgba, type Theme } from "../products/palettes.ts";
import { getProduct } from "../products/registry.ts";
import { changeMarks, changeSteps, type ChangeMark } from "./difference-picture.ts";

export type AnalysisPaletteId = "gray" | "so-far";

/** Six bands of one hue, lightest highest. */
export const soFarColors = ["#43283a", "#6b3550", "#99486c", "#c56a90", "#e79db9", "#ffdbe6"] as const;

/** Lower edges of the six bands: hail in millimeters, from 1/8, 1/2, 1, 1 1/2, 2 and 2 1/2 in; reflectivity in dBZ. */
export const soFarBands = {
  "mrms-mesh": [3.175, 12.7, 25.4, 38.1, 50.8, 63.5],
  "mrms-reflectivity": [5, 20, 35, 45, 55, 65],
} as const;

/** Returns 256 RGBA entries for a picture of a difference, without changes smaller than `threshold`. */
export function toChangeTable(unit: string, threshold: number): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(256 * 4);
  const steps = changeSteps[unit] ?? [0, Infinity, Infinity, Infinity];
  changeMarks.forEach((mark, index) => {
    if (!mark || ("step" in mark && steps[mark.step]! < threshold)) return;
    table.set(toRgba(colorOf(mark)), index * 4);
  });
  return table;
}

/** Two steps below the second share the faintest color; what appeared or vanished alternates two. */
function colorOf(mark: ChangeMark): string {
  if ("step" in mark) return changeColors[mark.kind][Math.max(0, mark.step - 1)]!;
  const [, middle, strongest] = changeColors[mark.kind === "appeared" ? "up" : "down"];
  return mark.isAccent ? strongest : middle;
}

/** Returns 256 RGBA entries: the classes of a storm in grays, farther from the ground with every stop. */
export function toGrayTable({ product: id, edges }: FrameClasses, theme: Theme): Uint8Array<ArrayBuffer> {
  const product = getProduct(id);
  const [weakest, strongest] = theme === "dark" ? [38, 92] : [222, 168];
  return toTable(edges, (edge) => {
    const part = findStop(product, edge) / (product.stops.length - 1);
    const level = Math.round(weakest + part * (strongest - weakest));
    return [level, level, level, 255];
  });
}

/** Returns 256 RGBA entries: each class in the color of its band. */
export function toSoFarTable({ product, edges }: FrameClasses): Uint8Array<ArrayBuffer> {
  const colors = soFarColors.map(toRgba);
  return toTable(edges, (edge) => colors[findSoFarBand(product, edge)]!);
}

function findSoFarBand(product: FrameClasses["product"], edge: number): number {
  return Math.max(
    0,
    soFarBands[product].findLastIndex((from) => from <= edge),
  );
}

function toTable(
  edges: readonly number[],
  colorOf: (edge: number) => readonly number[],
): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(256 * 4);
  edges.forEach((edge, index) => {
    table.set(colorOf(edge), (index + 1) * 4);
  });
  return table;
}
