import { expect, test } from "vitest";
import { IndexPyramidBuilder } from "../index-pyramid.ts";
import type { IndexedFrame } from "../decoded-frame.ts";
import { IndexGridBuilder, readCell, type IndexGrid } from "../../../shared/frames/index-grid.ts";
import type { CellView, Screen } from "./screen-geometry.ts";
import { findClassPixels } from "./class-pixels.ts";

const size = { widthPx: 37, heightPx: 29 };
const screen: Screen = { widthPx: 18, heightPx: 14 };
const classes = { product: "mrms-reflectivity", edges: [5, 10, 15] } as unknown as IndexedFrame["classes"];

function toFrame(isOrdered: boolean, isRough: boolean): IndexedFrame {
  const builder = new IndexPyramidBuilder(size.widthPx, size.heightPx, isOrdered);
  const rough = new IndexGridBuilder(size.widthPx, size.heightPx, true);
  let state = 7;
  for (let row = 0; row < size.heightPx; row++) {
    const cells = Uint8Array.from({ length: size.widthPx }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state > 3e9 ? 1 + (state % 9) : 0;
    });
    builder.addRow(cells);
    rough.addRow(cells);
  }
  const { grid, coarser } = builder.finish();
  const frame = {
    kind: "indexed",
    ...size,
    coarser,
    echo: undefined,
    palette: new Uint8Array(1024),
  } as const;
  return {
    ...frame,
    grid: isRough ? rough.finish() : grid,
    classes: isOrdered ? classes : undefined,
    coverage: undefined,
  };
}

/** Returns the class of one pixel, counted from the lower left, by visiting all cells. */
function findHere(grid: IndexGrid, view: CellView, x: number, y: number, isOrdered: boolean): number {
  let most = 0;
  const at = [x + 0.5, y + 0.5].map((pixel, axis) => {
    return view.base[axis]! + view.origin[axis]! + pixel * view.perPixel[axis]!;
  });
  for (let row = 0; row < grid.heightPx; row++) {
    for (let column = 0; column < grid.widthPx; column++) {
      const isShown = [column, row].every((cell, axis) => {
        const step = Math.abs(view.perPixel[axis]!);
        if (!isOrdered || step <= 1) return Math.floor(at[axis]!) === cell;
        return Math.abs(cell + 0.5 - at[axis]!) <= step / 2 + 0.004;
      });
      if (isShown) most = Math.max(most, readCell(grid, row, column));
    }
  }
  return most;
}

const views: readonly (readonly [name: string, view: CellView])[] = [
  ["many cells a pixel", { base: [1, 26], origin: [0.31, 0.77], perPixel: [2.7, -2.3] }],
  ["many pixels a cell", { base: [12, 18], origin: [0.52, 0.11], perPixel: [0.13, -0.17] }],
  ["many cells across, few up", { base: [-9, 20], origin: [0.4, 0.9], perPixel: [3.4, -0.6] }],
  ["all of the frame, with room around it", { base: [-12, 39], origin: [0.25, 0.35], perPixel: [4.1, -4.1] }],
  ["beside the frame", { base: [500, 500], origin: [0, 0], perPixel: [1.5, -1.5] }],
];

for (const [name, view] of views) {
  test.each([
    ["runs", true, false],
    ["plain cells", true, true],
    ["indices without an order", false, false],
  ])(`pixels of ${name} show the classes of their cells: %s`, (_kind, isOrdered, isRough) => {
    const frame = toFrame(isOrdered, isRough);
    const found = findClassPixels(frame, view, screen);
    const { widthPx, heightPx } = screen;
    const expected = Array.from({ length: widthPx * heightPx }, (_, at) =>
      findHere(frame.grid, view, at % widthPx, heightPx - 1 - Math.floor(at / widthPx), isOrdered),
    );
    expect([...found]).toEqual(expected);
    if (name !== "beside the frame") expect(Math.max(...expected)).toBeGreaterThan(0);
  });
}
