// Compares the pixels of a storm layer on screen with the cells of its frame, by plain loops over both.
import { readPng } from "../../electron/platform/png/read.ts";
import type { Bounds, Coordinate } from "../../shared/contract/index.ts";
import { maxFramePixels } from "../../shared/contract/frame-format.ts";
import { latitudeOfY, mercatorX, mercatorY } from "../../shared/geo/mercator.ts";
import { stopColors } from "../../shared/products/palettes.ts";
import { stopOfClass, type Product } from "../../shared/products/product.ts";

/** Index of the legend's stop of a cell or pixel: -1 for nothing drawn, undefined for a pixel under a line. */
type Stop = number | undefined;

export interface ScreenView {
  readonly center: Coordinate;
  readonly zoom: number;
}

export interface FrameCells {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bounds: Bounds;
  /** Row-major from the northwest; -1 for nothing. */
  readonly stops: Int8Array;
}

/** Decodes a frame of this product. */
export function readFrameCells(png: Uint8Array, product: Product, bounds: Bounds): FrameCells {
  const { samples, header } = readPng(png, maxFramePixels);
  const stopOf = [-1, ...stopOfClass(product)];
  return {
    widthPx: header.widthPx,
    heightPx: header.heightPx,
    bounds,
    stops: Int8Array.from(samples, (index) => stopOf[index]!),
  };
}

/** Returns the center of the northernmost, then westernmost cell of the highest stop. */
export function findHighest({
  bounds: [west, south, east, north],
  widthPx,
  heightPx,
  stops,
}: FrameCells): Coordinate {
  const at = stops.indexOf(stops.reduce((most, stop) => Math.max(most, stop), -1));
  const down = (Math.floor(at / widthPx) + 0.5) / heightPx;
  const y = mercatorY(north) + down * (mercatorY(south) - mercatorY(north));
  return [west + (((at % widthPx) + 0.5) / widthPx) * (east - west), latitudeOfY(y)];
}

/** The stops of a screenshot's pixels. Pixels of neither a stop nor the bare ground are unknown: lines and labels. */
export interface ScreenStops {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly stopAt: (x: number, y: number) => Stop;
}

/**
 * Reads a screenshot in NWS colors, all of them opaque, with the layer at full opacity, and one of the same view
 * without any layer.
 */
export function readScreenStops(shown: Uint8Array, bare: Uint8Array, product: Product): ScreenStops {
  const [front, back] = [readPng(shown, maxFramePixels), readPng(bare, maxFramePixels)];
  const { widthPx, heightPx } = front.header;
  const channels = front.samples.length / (widthPx * heightPx);
  const toColor = (samples: ArrayLike<number>, pixel: number): number =>
    (samples[pixel * channels]! << 16) |
    (samples[pixel * channels + 1]! << 8) |
    samples[pixel * channels + 2]!;
  const byColor = new Map(
    stopColors(product, "nws").map((color, stop) => [Number.parseInt(color.slice(1), 16), stop]),
  );
  const stops = Array.from({ length: widthPx * heightPx }, (_, pixel) => {
    const color = toColor(front.samples, pixel);
    return byColor.get(color) ?? (color === toColor(back.samples, pixel) ? -1 : undefined);
  });
  const ground = commonest(
    Array.from({ length: widthPx * heightPx }, (_, pixel) => toColor(back.samples, pixel)),
  );
  const isBare = (pixel: number): boolean => ground.has(toColor(back.samples, pixel));
  return {
    widthPx,
    heightPx,
    stopAt: (x, y) => {
      if (x < 0 || y < 0 || x >= widthPx || y >= heightPx) return undefined;
      const pixel = y * widthPx + x;
      return isBare(pixel) ? stops[pixel] : undefined;
    },
  };
}

/** Returns the colors of land and water: each covers more than a tenth of the map. */
function commonest(colors: readonly number[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > colors.length / 10).map(([color]) => color));
}

/** Returns the pixel coordinates of the centers of a frame's columns and rows on a screen with this view. */
export function placeCells(
  { bounds: [west, south, east, north], widthPx, heightPx }: FrameCells,
  { center, zoom }: ScreenView,
  screen: { readonly widthPx: number; readonly heightPx: number },
): {
  readonly xOf: (column: number) => number;
  readonly yOf: (row: number) => number;
  readonly cellsPerPixel: number;
} {
  const world = 512 * 2 ** zoom;
  const [left, top] = [mercatorX(west), mercatorY(north)];
  const stepX = (mercatorX(east) - left) / widthPx;
  const stepY = (mercatorY(south) - top) / heightPx;
  return {
    xOf: (column) => (left + (column + 0.5) * stepX - mercatorX(center[0])) * world + screen.widthPx / 2,
    yOf: (row) => (top + (row + 0.5) * stepY - mercatorY(center[1])) * world + screen.heightPx / 2,
    cellsPerPixel: 1 / (stepX * world),
  };
}

/** Counts of a comparison. */
export interface ScreenCount {
  /** Cells in view that were compared, and those of them that no pixel within one shows at their stop or higher. */
  readonly cells: number;
  readonly lost: number;
  /** Pixels that were compared, and those that show a stop which no cell within one pixel has. */
  readonly pixels: number;
  readonly invented: number;
  /** Marked cells that were compared, and those drawn less than two pixels wide or high. */
  readonly marks: number;
  readonly narrow: number;
}

/** Compares in both directions all that has at least stop `from`; `marked` is the lowest stop that is marked. */
export function countScreen(
  cells: FrameCells,
  screen: ScreenStops,
  view: ScreenView,
  { from, marked }: { readonly from: number; readonly marked: number },
): ScreenCount {
  const { xOf, yOf } = placeCells(cells, view, screen);
  const highestNear = new Int8Array(screen.widthPx * screen.heightPx).fill(-1);
  const count = { cells: 0, lost: 0, pixels: 0, invented: 0, marks: 0, narrow: 0 };
  cells.stops.forEach((stop, at) => {
    if (stop < 0) return;
    const [centerX, centerY] = [xOf(at % cells.widthPx), yOf(Math.floor(at / cells.widthPx))];
    for (let nearY = Math.floor(centerY - slackPx) - 1; nearY <= Math.floor(centerY + slackPx) + 1; nearY++) {
      for (
        let nearX = Math.floor(centerX - slackPx) - 1;
        nearX <= Math.floor(centerX + slackPx) + 1;
        nearX++
      ) {
        if (nearX < 0 || nearY < 0 || nearX >= screen.widthPx || nearY >= screen.heightPx) continue;
        const near = nearY * screen.widthPx + nearX;
        highestNear[near] = Math.max(highestNear[near]!, stop);
      }
    }
    const [x, y] = [Math.floor(centerX), Math.floor(centerY)];
    const around = neighbors.map(([right, down]) => [x + right, y + down] as const);
    if (stop < from || x < 0 || y < 0 || x >= screen.widthPx || y >= screen.heightPx) return;
    const seen = around.map(([nearX, nearY]) => screen.stopAt(nearX, nearY));
    if (seen.includes(undefined)) return;
    count.cells += 1;
    if (!seen.some((near) => near! >= stop)) count.lost += 1;
    if (stop < marked) return;
    count.marks += 1;
    const isMarked = (nearX: number, nearY: number): boolean => (screen.stopAt(nearX, nearY) ?? -1) >= marked;
    const isWide = ([nearX, nearY]: readonly [number, number]): boolean =>
      isMarked(nearX, nearY) &&
      (isMarked(nearX + 1, nearY) || isMarked(nearX - 1, nearY)) &&
      (isMarked(nearX, nearY + 1) || isMarked(nearX, nearY - 1));
    // A center between two pixels may be drawn in either.
    if (!around.some(isWide)) count.narrow += 1;
  });
  for (let y = 0; y < screen.heightPx; y++) {
    for (let x = 0; x < screen.widthPx; x++) {
      const stop = screen.stopAt(x, y);
      if (stop === undefined || stop < from) continue;
      count.pixels += 1;
      if (highestNear[y * screen.widthPx + x]! < stop) count.invented += 1;
    }
  }
  return count;
}

/** Precision with which the view is known. */
const slackPx = 0.03;

const neighbors = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [right, down] as const));

/** Counts the pixels whose stop differs from that of the cell at their center, and all that were compared. */
export function countInexact(
  cells: FrameCells,
  screen: ScreenStops,
  view: ScreenView,
): { readonly pixels: number; readonly drawn: number; readonly wrong: number } {
  const { xOf, yOf } = placeCells(cells, view, screen);
  const [stepX, stepY] = [xOf(1) - xOf(0), yOf(1) - yOf(0)];
  const count = { pixels: 0, drawn: 0, wrong: 0 };
  for (let y = 0; y < screen.heightPx; y++) {
    for (let x = 0; x < screen.widthPx; x++) {
      const stop = screen.stopAt(x, y);
      if (stop === undefined) continue;
      const column = Math.floor((x + 0.5 - xOf(0)) / stepX + 0.5);
      const row = Math.floor((y + 0.5 - yOf(0)) / stepY + 0.5);
      const isInside = column >= 0 && row >= 0 && column < cells.widthPx && row < cells.heightPx;
      const expected = isInside ? cells.stops[row * cells.widthPx + column]! : -1;
      count.pixels += 1;
      if (expected >= 0) count.drawn += 1;
      if (stop !== expected) count.wrong += 1;
    }
  }
  return count;
}
