import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCell, type IndexGrid } from "../../shared/frames/index-grid.ts";
import { cellsOfLevel, coarsestLevel, IndexPyramidBuilder } from "./index-pyramid.ts";

/** Pictures of every size up to a few coarse cells, mostly empty or noisy. */
const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    most: fc.nat(255),
  })
  .chain(({ width, height, most }) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height, max: most })
      .map((cells) => ({ width, height, cells })),
  );

function build(width: number, cells: Uint8Array, isOrdered = true): IndexGrid[] {
  const builder = new IndexPyramidBuilder(width, cells.length / width, isOrdered);
  for (let at = 0; at < cells.length; at += width) builder.addRow(cells.subarray(at, at + width));
  const { grid, coarser } = builder.finish();
  return [grid, ...coarser];
}

describe("an index pyramid", () => {
  test("holds in each cell of a level the highest of the cells below it, for any picture", () => {
    fc.assert(
      fc.property(picture, ({ width, height, cells }) => {
        const levels = build(width, cells);
        expect(levels).toHaveLength(coarsestLevel + 1);
        levels.forEach((grid, level) => {
          expect(grid.widthPx).toBe(cellsOfLevel(width, level));
          expect(grid.heightPx).toBe(cellsOfLevel(height, level));
          const expected = new Uint8Array(grid.widthPx * grid.heightPx);
          cells.forEach((index, at) => {
            const block = ((at / width) >> level) * grid.widthPx + ((at % width) >> level);
            expected[block] = Math.max(expected[block]!, index);
          });
          const found = expected.map((_, at) =>
            readCell(grid, Math.floor(at / grid.widthPx), at % grid.widthPx),
          );
          expect(found).toEqual(expected);
        });
      }),
      { seed: 9, numRuns: 200 },
    );
  });

  test("has no coarser levels where the order of the indices means nothing", () => {
    expect(build(3, Uint8Array.of(1, 2, 3, 4, 5, 6), false)).toHaveLength(1);
  });
});
