import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyBlock, gridByteLength, IndexGridBuilder, readCell } from "./index-grid.ts";
import type { IndexGrid } from "./index-grid.ts";

function build(widthPx: number, cells: Uint8Array): IndexGrid {
  const heightPx = cells.length / widthPx;
  const builder = new IndexGridBuilder(widthPx, heightPx);
  for (let row = 0; row < heightPx; row++) builder.addRow(cells.subarray(row * widthPx, (row + 1) * widthPx));
  return builder.finish();
}

/** Pictures of every roughness, from one value to noise. */
const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 20 }),
    values: fc.integer({ min: 1, max: 5 }),
  })
  .chain(({ width, height, values }) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height, max: values - 1 })
      .map((cells) => ({ width, height, cells })),
  );

describe("an index grid", () => {
  test("gives back every cell of any picture", () => {
    fc.assert(
      fc.property(picture, ({ width, height, cells }) => {
        const grid = build(width, cells);
        for (let row = 0; row < height; row++) {
          for (let column = 0; column < width; column++) {
            expect(readCell(grid, row, column)).toBe(cells[row * width + column]);
          }
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("copies any block of any picture", () => {
    const cases = picture.chain(({ width, height, cells }) =>
      fc.record({
        width: fc.constant(width),
        cells: fc.constant(cells),
        rows: fc.tuple(fc.nat(height), fc.nat(height)).map((ends) => ends.toSorted((a, b) => a - b)),
        columns: fc.tuple(fc.nat(width), fc.nat(width)).map((ends) => ends.toSorted((a, b) => a - b)),
      }),
    );
    fc.assert(
      fc.property(cases, ({ width, cells, rows, columns }) => {
        const block = {
          rowStart: rows[0]!,
          rowEnd: rows[1]!,
          columnStart: columns[0]!,
          columnEnd: columns[1]!,
        };
        fc.pre(block.columnEnd > block.columnStart);
        const expected: number[] = [];
        for (let row = block.rowStart; row < block.rowEnd; row++) {
          expected.push(...cells.subarray(row * width + block.columnStart, row * width + block.columnEnd));
        }
        const target = new Uint8Array(expected.length);
        expect(copyBlock(build(width, cells), block, target)).toBe(expected.length);
        expect([...target]).toEqual(expected);
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test("needs little memory for a radar picture, and at most that of plain bytes for noise", () => {
    const calm = build(1000, new Uint8Array(1000 * 500));
    expect(calm.kind).toBe("runs");
    expect(gridByteLength(calm)).toBeLessThan(10_000);
    const noise = Uint8Array.from({ length: 1000 * 500 }, (_, at) => (at * 7919) % 251);
    const noisy = build(1000, noise);
    expect(noisy.kind).toBe("raw");
    expect(gridByteLength(noisy)).toBe(noise.length);
  });

  test("keeps a picture wider than its 16-bit columns as plain bytes", () => {
    const cells = new Uint8Array(70_000 * 2);
    cells[70_000 + 69_999] = 9;
    const grid = build(70_000, cells);
    expect(grid.kind).toBe("raw");
    expect(readCell(grid, 1, 69_999)).toBe(9);
  });
});
