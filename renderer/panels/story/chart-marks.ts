// The marks of a place's story as paths, one for each look, so that 360 windows are drawn with a few elements. Pure
// numbers in CSS pixels.
import type { ProductId } from "../../../shared/contract/index.ts";
import {
  toClassColors,
  toCssColor,
  type LayerColors,
} from "../../../shared/products/color-tables/layer-colors.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import type { StoryCell, StoryWindow } from "../../state/story/place-story.ts";

/** Places of the windows' columns. */
export interface StoryColumns {
  readonly blockPx: number;
  /** Left edge, by number of the observation window; a window that is not drawn has none. */
  readonly leftPx: ReadonlyMap<number, number>;
}

/** The area of one layer: from its base line up to the largest value. */
export interface Plot {
  readonly id: ProductId;
  readonly basePx: number;
  readonly heightPx: number;
  /** Value at the top, in the layer's unit. */
  readonly highest: number;
}

export interface ColoredPath {
  readonly color: string;
  readonly bars: string;
  readonly caps: string;
}

export interface PlotMarks {
  readonly classes: readonly ColoredPath[];
  readonly below: string;
  readonly outside: string;
  readonly missing: string;
  readonly failed: string;
  /** Outlines of the classes that corrections replaced. */
  readonly replaced: string;
  readonly corrected: string;
}

/** The cap is thicker than a class, whose upper edge is its top. */
export const capPx = 3;
/** Narrower columns have caps only. */
const leastBarPx = 4;
const ringPx = 2.5;
const boxPx = 9;
const trianglePx = 8;

export function toPx({ basePx, heightPx, highest }: Plot, value: number): number {
  return basePx - Math.min(1, value / highest) * heightPx;
}

/** Returns the top of a class's cap. */
function topOf(plot: Plot, { range }: Extract<StoryCell, { kind: "class" }>): number {
  return Math.min(toPx(plot, range.upper ?? range.lower), plot.basePx - capPx);
}

export function toPlotMarks(
  windows: readonly StoryWindow[],
  { blockPx, leftPx }: StoryColumns,
  plot: Plot,
  style: LayerColors,
): PlotMarks {
  const product = getProduct(plot.id);
  const colorOf = toClassColors(product, style);
  const classes = new Map<string, { bars: string; caps: string }>();
  const marks = { below: "", outside: "", missing: "", failed: "", replaced: "", corrected: "" };
  const topPx = plot.basePx - plot.heightPx;
  for (const { window, layers } of windows) {
    const x = leftPx.get(window);
    const layer = layers.find(({ id }) => id === plot.id);
    if (x === undefined || !layer) continue;
    // The earlier reading stays until the correction is read.
    const cell = layer.cell.kind === "reading" && layer.before ? layer.before : layer.cell;
    const middle = x + blockPx / 2;
    let highestPx = plot.basePx - 2 * ringPx - 4;
    if (cell.kind === "class") {
      const color = toCssColor(colorOf(cell.range.lower));
      const path = classes.get(color) ?? { bars: "", caps: "" };
      const top = topOf(plot, cell);
      if (blockPx >= leastBarPx) path.bars += rectangle(x, top + capPx, blockPx, plot.basePx - top - capPx);
      path.caps += rectangle(x, top, blockPx, capPx);
      classes.set(color, path);
      highestPx = top;
    } else if (cell.kind === "below") {
      marks.below += ring(middle, plot.basePx - ringPx - 2, Math.min(ringPx, blockPx / 2));
    } else if (cell.kind === "outside-coverage") marks.outside += rectangle(x, topPx, blockPx, plot.heightPx);
    else if (cell.kind === "not-delivered") marks.missing += rectangle(x, topPx, blockPx, plot.heightPx);
    else if (cell.kind === "failed")
      marks.failed += crossedBox(middle, plot.basePx - 2, Math.min(boxPx, blockPx));
    if (!layer.before) continue;
    if (layer.before.kind === "class" && layer.before !== cell) {
      const before = topOf(plot, layer.before);
      if (blockPx >= leastBarPx) marks.replaced += rectangle(x, before, blockPx, capPx + 1);
      highestPx = Math.min(highestPx, before);
    }
    marks.corrected += triangle(
      middle,
      Math.max(trianglePx / 2, highestPx - 3),
      Math.min(trianglePx, blockPx + 4),
    );
  }
  return { classes: [...classes].map(([color, path]) => ({ color, ...path })), ...marks };
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return height <= 0 ? "" : `M${x} ${y}h${width}v${height}h-${width}z`;
}

function ring(x: number, y: number, radius: number): string {
  const across = 2 * radius;
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${across} 0a${radius} ${radius} 0 1 0 -${across} 0z`;
}

function crossedBox(x: number, bottom: number, size: number): string {
  const left = x - size / 2;
  const top = bottom - size;
  return `M${left} ${top}h${size}v${size}h-${size}zl${size} ${size}m0 -${size}l-${size} ${size}`;
}

/** Points down, with its tip at `y`. */
function triangle(x: number, y: number, width: number): string {
  return `M${x} ${y}l-${width / 2} -${width * 0.7}h${width}z`;
}

/** Returns the tallest value that hail needs: the lines at 1 and 2 inches always show. */
export function findHighestHail(windows: readonly StoryWindow[]): number {
  const inches = 25.4;
  const largest = windows.reduce((most, { layers }) => {
    const cells = layers.filter(({ id }) => id === "mrms-mesh").flatMap(({ cell, before }) => [cell, before]);
    return Math.max(
      most,
      ...cells.map((cell) => (cell?.kind === "class" ? (cell.range.upper ?? cell.range.lower) : 0)),
    );
  }, 0);
  return [2.6, 4.1, 6, 8.1].map((size) => size * inches).find((size) => largest <= size) ?? largest;
}

/** Largest reflectivity that the strip has room for, in dBZ. */
export const highestDbz = 80;

/** Returns the bars of a sparkline of hail; a place that several windows share has their highest. */
export function toSparkline(
  windows: readonly StoryWindow[],
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  style: LayerColors,
): ColoredPath[] {
  const product = getProduct("mrms-mesh");
  const colorOf = toClassColors(product, style);
  const [first, last] = [windows[0]?.window ?? 0, windows.at(-1)?.window ?? 0];
  const pitch = Math.max(1, Math.min(3, Math.floor(widthPx / (last - first + 1))));
  const places = Math.floor(widthPx / pitch);
  const highest = new Map<number, number>();
  for (const { window, layers } of windows) {
    const place = Math.min(
      places - 1,
      Math.floor(((window - first) * places) / Math.max(places, last - first + 1)),
    );
    const cell = layers.find(({ id }) => id === "mrms-mesh")?.cell;
    if (cell === undefined || cell.kind === "reading" || cell.kind === "not-delivered") continue;
    highest.set(place, Math.max(highest.get(place) ?? 0, cell.kind === "class" ? cell.range.lower : 0));
  }
  const plot: Plot = { id: product.id, basePx: heightPx, heightPx, highest: findHighestHail(windows) };
  const paths = new Map<string, { bars: string; caps: string }>();
  for (const [place, value] of highest) {
    const color = value === 0 ? "var(--no-echo-mark)" : toCssColor(colorOf(value));
    const path = paths.get(color) ?? { bars: "", caps: "" };
    const top = value === 0 ? heightPx - 1 : Math.min(heightPx - 2, toPx(plot, value));
    path.bars += rectangle(place * pitch, top, Math.max(1, pitch - 1), heightPx - top);
    paths.set(color, path);
  }
  return [...paths].map(([color, path]) => ({ color, ...path }));
}
