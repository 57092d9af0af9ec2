import fc from "fast-check";
import { expect, test } from "vitest";
import { toCellFrame } from "../../shared/analysis/cell-frame.ts";
import { toClassFrame } from "../../shared/analysis/support/cell-plane.ts";
import { SwathBuilder, toSwathClasses, type Swath } from "../../shared/analysis/swath.ts";
import { copyBlock, type IndexGrid } from "../../shared/frames/index-grid.ts";
import { blockBounds } from "../../shared/geo/grid.ts";
import { projectRows } from "../../shared/geo/project-rows.ts";
import { frameTransferables, levelsOf } from "./decoded-frame.ts";
import { findEchoBlock } from "./echo-block.ts";
import { GrowingSwath } from "./growing-swath.ts";
import { IndexPyramidBuilder } from "./index-pyramid.ts";

/** Far enough north that most rows of cells have several rows of pixels. */
const grid = {
  columns: 21,
  rows: 37,
  westUdeg: -98_000_000,
  northUdeg: 72_000_000,
  spacingXUdeg: 500_000,
  spacingYUdeg: 500_000,
};
const cellCount = grid.columns * grid.rows;

/** Planes with a few classes in a part of the grid, in long runs or rough, from which frames of other sizes are cut. */
const anyPlane = fc
  .record({
    from: fc.nat(cellCount),
    to: fc.nat(cellCount),
    step: fc.constantFrom(1, 50),
    classes: fc.uint8Array({ minLength: cellCount, maxLength: cellCount, max: 12 }),
  })
  .map(({ from, to, step, classes }) => ({
    grid,
    indices: classes.map((_, cell) => (cell >= from && cell < to ? classes[cell - (cell % step)]! : 0)),
    covered: Array.from(classes, (index) => index !== 3),
  }));

function unpack(packed: IndexGrid): number[] {
  const { widthPx, heightPx } = packed;
  const cells = new Uint8Array(widthPx * heightPx);
  copyBlock(packed, { rowStart: 0, rowEnd: heightPx, columnStart: 0, columnEnd: widthPx }, cells);
  return [...cells];
}

/** Returns the levels of the whole picture, made at once, and what is found from them. */
function drawAtOnce({ classes, cells, block, highest }: Swath): object {
  const rows = projectRows(cells!, block);
  const widthPx = block.columnEnd - block.columnStart;
  const builder = new IndexPyramidBuilder(widthPx, rows.length, true);
  for (const row of rows) {
    const start = row * grid.columns + block.columnStart;
    builder.addRow(highest.slice(start, start + widthPx));
  }
  const pyramid = builder.finish();
  const echo = findEchoBlock(pyramid.grid, classes);
  return {
    ...{ widthPx, heightPx: rows.length, bounds: blockBounds(cells!, block), echo },
    levels: [pyramid.grid, ...pyramid.coarser].map(unpack),
  };
}

test("a swath that grows has the picture and the numbers of one made at once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyPlane, fc.boolean()), { minLength: 1, maxLength: 7 }), (steps) => {
      const growing = new GrowingSwath();
      const builder = new SwathBuilder();
      for (const [plane, isDrawn] of steps) {
        const frame = toCellFrame(toClassFrame(plane))!;
        growing.add(frame);
        builder.add(frame);
        if (!isDrawn) continue;
        const swath = builder.toSwath()!;
        expect(growing.toClasses()).toEqual(toSwathClasses(swath));
        const picture = growing.toPicture();
        if (swath.cells) {
          const { widthPx, heightPx, bounds, echo } = picture;
          const levels = levelsOf(picture).map(unpack);
          expect({ widthPx, heightPx, bounds, echo, levels }).toEqual(drawAtOnce(swath));
        } else expect([picture.widthPx, picture.heightPx, ...unpack(picture.grid)]).toEqual([1, 1, 0]);
        expect(picture.coverage).toEqual(swath.coverage);
        // The worker sends its pictures away.
        structuredClone(null, { transfer: frameTransferables(picture) as ArrayBuffer[] });
      }
    }),
    { seed: 14, numRuns: 300 },
  );
});
