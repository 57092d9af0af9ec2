// Places read from a PNG up to the row needed, against naive loops over the plane of cells.
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePng } from "../../../electron/platform/png/write.ts";
import { cellCenter, toCellFrame, toClassRange } from "../../../shared/analysis/cell-frame.ts";
import { readPlace } from "../../../shared/analysis/place-reading.ts";
import { toClassFrame, type CellPlane } from "../../../shared/analysis/support/cell-plane.ts";
import { copyBlock } from "../../../shared/frames/index-grid.ts";
import { distanceKm } from "../../../shared/geo/sphere.ts";
import { crc32 } from "../../../shared/png/crc32.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import type { FilterName } from "../../../shared/png/unfilter.ts";
import { readPlaces } from "./read-places.ts";

const filters = ["none", "sub", "up", "average", "paeth"] as const;

/** Planes of 1 km cells, so that several lie within 5 km. */
const anyPlane: fc.Arbitrary<CellPlane> = fc
  .record({ columns: fc.integer({ min: 1, max: 24 }), rows: fc.integer({ min: 1, max: 30 }) })
  .chain(({ columns, rows }) =>
    fc
      .record({
        highest: fc.integer({ min: 0, max: 140 }),
        indices: fc.uint8Array({ minLength: columns * rows, maxLength: columns * rows, max: 140 }),
        covered: fc.array(fc.boolean(), { minLength: columns * rows, maxLength: columns * rows }),
      })
      .map(({ highest, indices, covered }) => ({
        grid: {
          columns,
          rows,
          westUdeg: -98_000_000,
          northUdeg: 36_000_000,
          spacingXUdeg: 10_000,
          spacingYUdeg: 10_000,
        },
        indices: indices.map((index) => (index > highest ? 0 : index)),
        covered,
      })),
  );

function encode(
  plane: CellPlane,
  filter: FilterName,
): { png: Uint8Array; frame: ReturnType<typeof toClassFrame> } {
  const frame = toClassFrame(plane);
  const { widthPx, heightPx, grid, classes, coverage } = frame;
  const rows = new Uint8Array(widthPx * heightPx);
  copyBlock(grid, { rowStart: 0, rowEnd: heightPx, columnStart: 0, columnEnd: widthPx }, rows);
  const bits = deflateSync(coverage.bits).toString("base64");
  const texts = [
    { keyword: "echotop:classes", text: JSON.stringify(classes) },
    { keyword: "echotop:coverage", text: JSON.stringify({ ...coverage, bits }) },
  ];
  const palette = new Uint8Array(256 * 3);
  const picture = { widthPx, heightPx, bitDepth: 8, colorType: "palette", rows, palette, texts } as const;
  return { png: encodePng({ ...picture, transparency: Uint8Array.of(0), filter }), frame };
}

describe("places of a frame", () => {
  test("have the class of their cell, and the highest of the cells within 5 km", async () => {
    const cases = fc.tuple(anyPlane, fc.constantFrom(...filters), fc.array(fc.nat(), { maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([plane, filter, picks]) => {
        const { png, frame } = encode(plane, filter);
        const { grid, indices } = plane;
        const places = picks.map((pick) => {
          const cell = pick % indices.length;
          return cellCenter(grid, Math.floor(cell / grid.columns), cell % grid.columns);
        });
        const read = await readPlaces(png, { bounds: frame.bounds, places });
        const cells = toCellFrame(frame)!;
        expect(read.map(({ cell }) => cell)).toEqual(places.map((place) => readPlace(cells, place)));
        const highest = places.map((place) => Math.max(0, ...within5km(plane, place)));
        const ranges = highest.map((index) => toClassRange(frame.classes, index));
        expect(read.map(({ nearby }) => (nearby.kind === "class" ? nearby.range : undefined))).toEqual(
          ranges,
        );
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test("are read without the rows below them", async () => {
    const columns = 200;
    const rows = 400;
    let state = 1;
    const indices = Uint8Array.from({ length: columns * rows }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return 1 + (state >>> 25);
    });
    const grid = {
      columns,
      rows,
      westUdeg: -98_000_000,
      northUdeg: 36_000_000,
      spacingXUdeg: 10_000,
      spacingYUdeg: 10_000,
    };
    const { png, frame } = encode({ grid, indices, covered: Array(columns * rows).fill(true) }, "up");
    const place = cellCenter(grid, 20, 30);
    const before = await readPlaces(png, { bounds: frame.bounds, places: [place] });
    expect(before[0]!.cell).toMatchObject({ kind: "class", index: indices[20 * columns + 30] });
    // Damage behind the rows needed is never seen.
    const damaged = png.slice();
    damaged.fill(0xaa, Math.floor(png.length * 0.7), Math.floor(png.length * 0.9));
    const read = (at: typeof place): Promise<unknown> =>
      readPlaces(withoutChecks(damaged), { bounds: frame.bounds, places: [at] });
    expect(await read(place)).toEqual(before);
    await expect(read(cellCenter(grid, rows - 1, 0))).rejects.toSatisfy(isPngError);
  });
});

/** The test's damage must reach the inflation, so it recomputes the checksums of the chunks. */
function withoutChecks(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = 8; at < png.length;) {
    const end = at + 8 + view.getUint32(at);
    view.setUint32(end, crc32(png.subarray(at + 4, end)));
    at = end + 4;
  }
  return png;
}

function within5km({ grid, indices }: CellPlane, place: readonly [number, number]): number[] {
  return [...indices].filter((_, cell) => {
    const center = cellCenter(grid, Math.floor(cell / grid.columns), cell % grid.columns);
    return distanceKm(center, place) <= 5;
  });
}
