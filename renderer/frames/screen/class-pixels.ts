// The class of each pixel of a picture, as the map's shaders find it: that of the cell at its center where a cell is at
// least as large as a pixel, else the highest of all cells whose centers it contains. Pure.
import type { IndexedFrame } from "../decoded-frame.ts";
import { centerSlack, oneCell, type CellView, type Screen } from "./screen-geometry.ts";

/** The pixels along an axis that show a span of cells: `from[first cell]` up to, not including, `to[last cell]`. */
interface AxisPixels {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/**
 * Returns screen.heightPx rows of screen.widthPx palette indices, from the northwest; 0 where nothing is drawn. They
 * are written to `pixels`.
 */
export function findClassPixels(
  { grid, classes }: Pick<IndexedFrame, "grid" | "classes">,
  view: CellView,
  screen: Screen,
  pixels = new Uint8Array(screen.widthPx * screen.heightPx),
): Uint8Array {
  pixels.fill(0);
  // Without a class table, the order of the indices has no meaning.
  const found = new ClassPixels(grid, { view, screen, isOrdered: classes !== undefined }, pixels);
  for (let row = 0; row < grid.heightPx; row++) {
    if (grid.kind === "raw") found.raiseByCells(row, grid.indices);
    else found.raiseByRuns(row, grid.ends, grid.values, grid.rowStarts[row]!, grid.rowStarts[row + 1]!);
  }
  return pixels;
}

/** Returns the cell at the center of each pixel along an axis, 0 across and 1 up; it may lie outside the picture. */
export function findCells({ base, origin, perPixel }: CellView, axis: 0 | 1, pixels: number): Int32Array {
  return Int32Array.from(
    { length: pixels },
    (_, pixel) => base[axis] + Math.floor(origin[axis] + (pixel + 0.5) * perPixel[axis]),
  );
}

interface Placing {
  readonly view: CellView;
  readonly screen: Screen;
  /** True if a higher index is a higher class. */
  readonly isOrdered: boolean;
}

/** Raises the pixels of a screen to the classes of a picture's cells, a row after another. */
export class ClassPixels {
  readonly pixels: Uint8Array;
  readonly #columns: AxisPixels;
  readonly #rows: AxisPixels;
  readonly #line: Uint8Array;

  /** `pixels` are as those of `findClassPixels`, and 0. */
  constructor(
    picture: { readonly widthPx: number; readonly heightPx: number },
    { view, screen, isOrdered }: Placing,
    pixels: Uint8Array,
  ) {
    this.pixels = pixels;
    this.#columns = toAxis(cellsOf(view, 0, screen.widthPx, isOrdered), picture.widthPx);
    this.#rows = toAxis(cellsOf(view, 1, screen.heightPx, isOrdered).reverse(), picture.heightPx);
    this.#line = new Uint8Array(screen.widthPx);
  }

  /** Takes the runs of a row as a `RunGrid` holds them, from `first` up to, not including, `last`. */
  raiseByRuns(row: number, ends: Uint16Array, values: Uint8Array, first: number, last: number): void {
    const line = this.#beginRow(row);
    if (!line) return;
    const { from, to } = this.#columns;
    let start = 0;
    // Plain loops: a frame has a million runs.
    for (let run = first; run < last; run++) {
      const next = ends[run]!;
      const value = values[run]!;
      if (value !== 0) {
        const end = to[next - 1]!;
        for (let pixel = from[start]!; pixel < end; pixel++) if (line[pixel]! < value) line[pixel] = value;
      }
      start = next;
    }
    this.#endRow(row);
  }

  /** Takes all cells of the picture, of which those of a row are read. */
  raiseByCells(row: number, cells: Uint8Array): void {
    const line = this.#beginRow(row);
    if (!line) return;
    const { from, to } = this.#columns;
    const columns = from.length;
    for (let column = 0, at = row * columns; column < columns; column++, at++) {
      const value = cells[at]!;
      if (value === 0) continue;
      const end = to[column]!;
      for (let pixel = from[column]!; pixel < end; pixel++) if (line[pixel]! < value) line[pixel] = value;
    }
    this.#endRow(row);
  }

  /** Returns the line of pixels to raise: that of the screen if there is only one; undefined if there is none. */
  #beginRow(row: number): Uint8Array | undefined {
    const [first, end] = [this.#rows.from[row]!, this.#rows.to[row]!];
    if (end <= first) return undefined;
    return end === first + 1 ? this.#lineOf(first) : this.#line.fill(0);
  }

  #endRow(row: number): void {
    const [first, end] = [this.#rows.from[row]!, this.#rows.to[row]!];
    if (end === first + 1) return;
    for (let pixel = first; pixel < end; pixel++) raiseAll(this.#lineOf(pixel), this.#line);
  }

  #lineOf(pixel: number): Uint8Array {
    const widthPx = this.#line.length;
    return this.pixels.subarray(pixel * widthPx, (pixel + 1) * widthPx);
  }
}

type CellSpan = readonly [first: number, last: number];

/** Returns the cells that each pixel shows along an axis, 0 across and 1 up. The same as the shader's `classHere`. */
function cellsOf(
  { base, origin, perPixel }: CellView,
  axis: 0 | 1,
  pixels: number,
  isOrdered: boolean,
): CellSpan[] {
  const step = perPixel[axis];
  const reach = Math.abs(step) / 2 + centerSlack;
  const gathers = isOrdered && Math.abs(step) > oneCell;
  return Array.from({ length: pixels }, (_, pixel) => {
    const at = origin[axis] + (pixel + 0.5) * step;
    if (!gathers) return [base[axis] + Math.floor(at), base[axis] + Math.floor(at)];
    return [base[axis] + Math.ceil(at - reach - 0.5), base[axis] + Math.floor(at + reach - 0.5)];
  });
}

/** Both ends of `spans` ascend. */
function toAxis(spans: readonly CellSpan[], cells: number): AxisPixels {
  const from = new Int32Array(cells);
  const to = new Int32Array(cells);
  let [first, end] = [0, 0];
  for (let cell = 0; cell < cells; cell++) {
    while (first < spans.length && spans[first]![1] < cell) first += 1;
    while (end < spans.length && spans[end]![0] <= cell) end += 1;
    from[cell] = first;
    to[cell] = end;
  }
  return { from, to };
}

function raiseAll(pixels: Uint8Array, line: Uint8Array): void {
  for (let pixel = 0; pixel < line.length; pixel++) {
    if (pixels[pixel]! < line[pixel]!) pixels[pixel] = line[pixel]!;
  }
}
