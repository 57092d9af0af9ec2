import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FrameClasses } from "../../shared/contract/index.ts";
import { findEchoBlock, toBlockBounds } from "./echo-block.ts";
import type { FrameExtent } from "../../shared/frames/frame-extent.ts";
import { IndexGridBuilder, type IndexGrid } from "../../shared/frames/index-grid.ts";

const reflectivity: FrameClasses = { product: "mrms-reflectivity", unit: "dBZ", edges: [5, 10, 15, 20, 25] };
const hail: FrameClasses = { product: "mrms-mesh", unit: "mm", edges: [3.2, 12.7, 25.4] };

/** Packs rows of digits, each the index of a cell. */
function pack(...rows: readonly string[]): IndexGrid {
  const builder = new IndexGridBuilder(rows[0]!.length, rows.length);
  for (const row of rows) builder.addRow(Uint8Array.from(row, Number));
  return builder.finish();
}

describe("the block of the echo", () => {
  test("leaves out reflectivity below 20 dBZ, unless there is nothing else", () => {
    const clutter = ["1000000002", "0004000000", "0000500000", "3000000001"];
    expect(findEchoBlock(pack(...clutter), reflectivity)).toEqual({
      rowStart: 1,
      rowEnd: 3,
      columnStart: 3,
      columnEnd: 5,
    });
    expect(findEchoBlock(pack("0000", "0120"), reflectivity)).toEqual({
      rowStart: 1,
      rowEnd: 2,
      columnStart: 1,
      columnEnd: 3,
    });
  });

  test("keeps every cell of hail of half an inch, and leaves out smaller hail", () => {
    expect(findEchoBlock(pack("100000", "020000", "000030"), hail)).toEqual({
      rowStart: 1,
      rowEnd: 3,
      columnStart: 1,
      columnEnd: 5,
    });
  });

  test("is missing where nothing is drawn", () => {
    expect(findEchoBlock(pack("000", "000"), hail)).toBeUndefined();
  });

  test("is the same for runs and for plain bytes, and the smallest", () => {
    const picture = fc.integer({ min: 1, max: 12 }).chain((width) =>
      fc.array(fc.array(fc.nat(3), { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(picture, (rows) => {
        const widthPx = rows[0]!.length;
        const heightPx = rows.length;
        const indices = Uint8Array.from(rows.flat());
        const raw: IndexGrid = { kind: "raw", widthPx, heightPx, indices };
        const drawn = rows.flatMap((row, y) => row.flatMap((index, x) => (index > 0 ? [{ x, y }] : [])));
        const expected =
          drawn.length === 0
            ? undefined
            : {
                rowStart: Math.min(...drawn.map(({ y }) => y)),
                rowEnd: Math.max(...drawn.map(({ y }) => y)) + 1,
                columnStart: Math.min(...drawn.map(({ x }) => x)),
                columnEnd: Math.max(...drawn.map(({ x }) => x)) + 1,
              };
        expect(findEchoBlock(raw, undefined)).toEqual(expected);
        expect(findEchoBlock(pack(...rows.map((row) => row.join(""))), undefined)).toEqual(expected);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("has its outer edges in degrees", () => {
    const extent: FrameExtent = { bounds: [-100, 30, -90, 40], widthPx: 100, heightPx: 100 };
    const whole = { rowStart: 0, rowEnd: 100, columnStart: 0, columnEnd: 100 };
    const [west, south, east, north] = toBlockBounds(extent, whole);
    expect([west, east]).toEqual([-100, -90]);
    expect(south).toBeCloseTo(30, 9);
    expect(north).toBeCloseTo(40, 9);
    const [, middle] = toBlockBounds(extent, { ...whole, rowEnd: 50 });
    // Rows are equal steps of Mercator y, so the middle row is north of the middle latitude.
    expect(middle).toBeCloseTo(35.1534, 4);
  });
});
