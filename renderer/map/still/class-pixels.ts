// The class of each pixel of a picture, as the map's shaders find it: that of the cell at its center where a cell is at
// least as large as a pixel, else the highest of all cells whose centers it contains. Pure.
import type { IndexedFrame } from "../../frames/decoded-frame.ts";
import { centerSlack, oneCell } from "../frame-look.ts";
import type { CellView, Screen } from "../screen-geometry.ts";

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
  frame: IndexedFrame,
  view: CellView,
  screen: Screen,
  pixels = new Uint8Array(screen.widthPx * screen.heightPx),
): Uint8Array {
  const { grid, classes } = frame;
  const { widthPx, heightPx } = screen;
  // Without a class table, the order of the indices has no meaning.
  const isOrdered = classes !== undefined;
  const columns = toAxis(cellsOf(view, 0, widthPx, isOrdered), grid.widthPx);
  const rows = toAxis(cellsOf(view, 1, heightPx, isOrdered).reverse(), grid.heightPx);
  pixels.fill(0);
  const line = new Uint8Array(widthPx);
  for (let row = 0; row < grid.heightPx; row++) {
    const first = rows.from[row]!;
    const end = rows.to[row]!;
    if (end <= first) continue;
    if (end === first + 1) {
      raiseRow(frame, row, columns, pixels.subarray(first * widthPx, end * widthPx));
      continue;
    }
    line.fill(0);
    raiseRow(frame, row, columns, line);
    for (let pixel = first; pixel < end; pixel++) {
      raiseAll(pixels.subarray(pixel * widthPx, (pixel + 1) * widthPx), line);
    }
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

/** Raises the pixels of a line to the classes of a row of cells. Plain loops: a frame has a million runs. */
function raiseRow({ grid }: IndexedFrame, row: number, { from, to }: AxisPixels, line: Uint8Array): void {
  if (grid.kind === "raw") {
    for (let column = 0, at = row * grid.widthPx; column < grid.widthPx; column++, at++) {
      const value = grid.indices[at]!;
      if (value === 0) continue;
      const end = to[column]!;
      for (let pixel = from[column]!; pixel < end; pixel++) if (line[pixel]! < value) line[pixel] = value;
    }
    return;
  }
  const { ends, values, rowStarts } = grid;
  const last = rowStarts[row + 1]!;
  let start = 0;
  for (let run = rowStarts[row]!; run < last; run++) {
    const next = ends[run]!;
    const value = values[run]!;
    if (value !== 0) {
      const end = to[next - 1]!;
      for (let pixel = from[start]!; pixel < end; pixel++) if (line[pixel]! < value) line[pixel] = value;
    }
    start = next;
  }
}

function raiseAll(pixels: Uint8Array, line: Uint8Array): void {
  for (let pixel = 0; pixel < line.length; pixel++) {
    if (pixels[pixel]! < line[pixel]!) pixels[pixel] = line[pixel]!;
  }
}
