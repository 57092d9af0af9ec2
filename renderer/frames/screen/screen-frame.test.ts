// Frames as a screen shows them, found while inflating, against those found from all their cells.
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePng } from "../../../electron/platform/png/write.ts";
import type { Bounds } from "../../../shared/contract/index.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";
import { decodeFrame } from "../decode-frame.ts";
import type { IndexedFrame } from "../decoded-frame.ts";
import { findClassPixels } from "./class-pixels.ts";
import type { ScreenView } from "./screen-frame.ts";
import { findCellView } from "./screen-geometry.ts";

const bounds: Bounds = [-100, 30, -90, 40];
const classes = { product: "mrms-reflectivity", unit: "dBZ", edges: [5, 10, 15] };
const palette = Uint8Array.from({ length: 30 }, (_, at) => at);

interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rows: Uint8Array;
}

const anyPicture: fc.Arbitrary<Picture> = fc
  .record({ widthPx: fc.integer({ min: 1, max: 90 }), heightPx: fc.integer({ min: 1, max: 60 }) })
  .chain((size) => {
    const run = fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 30 }));
    return fc.array(run, { minLength: 1, maxLength: 60 }).map((runs) => {
      const cells = runs.flatMap(([value, length]) => Array<number>(length).fill(value));
      const rows = Uint8Array.from(
        { length: size.widthPx * size.heightPx },
        (_, at) => cells[at % cells.length]!,
      );
      return { ...size, rows };
    });
  });

/** Screens on and around the picture. */
const anyView: fc.Arbitrary<ScreenView> = fc
  .record({
    widthPx: fc.integer({ min: 1, max: 70 }),
    heightPx: fc.integer({ min: 1, max: 50 }),
    longitude: fc.double({ min: -105, max: -85, noNaN: true }),
    latitude: fc.double({ min: 27, max: 43, noNaN: true }),
    zoom: fc.double({ min: 0, max: 6, noNaN: true }),
  })
  .map(({ widthPx, heightPx, longitude, latitude, zoom }) => {
    const worldPx = 512 * 2 ** zoom;
    const [scaleX, scaleY] = [(2 * worldPx) / widthPx, (-2 * worldPx) / heightPx];
    const [offsetX, offsetY] = [-mercatorX(longitude) * scaleX, -mercatorY(latitude) * scaleY];
    const transform = { scaleX, offsetX, scaleY, offsetY };
    return { bounds, screen: { widthPx, heightPx }, transform };
  });

async function decode(
  { widthPx, heightPx, rows }: Picture,
  isOrdered: boolean,
  isOurs: boolean,
  view?: ScreenView,
): Promise<IndexedFrame> {
  const png = encodePng({
    ...{ widthPx, heightPx, bitDepth: 8, colorType: "palette", rows, palette },
    transparency: Uint8Array.of(0),
    texts: isOrdered ? [{ keyword: "echotop:classes", text: JSON.stringify(classes) }] : [],
    ...(isOurs ? { filter: "sub", strategy: "rle" } : { filter: "paeth" }),
  });
  const frame = await decodeFrame(png, { maxTilePx: 2048, depth: "cells", view });
  if (frame.kind !== "indexed") throw new Error("The frame has no indices.");
  return frame;
}

test.each([
  ["whose classes have an order", true],
  ["without a class table", false],
])("a frame %s has the pixels that all its cells give", async (_, isOrdered) => {
  let drawn = 0;
  await fc.assert(
    fc.asyncProperty(anyPicture, anyView, async (picture, view) => {
      const { place, grid, ...frame } = await decode(picture, isOrdered, true, view);
      expect(place).toEqual({ transform: view.transform, screen: view.screen });
      const { grid: cells, ...whole } = await decode(picture, isOrdered, true);
      expect(frame).toEqual({ ...whole, echo: undefined });
      const cellView = findCellView({ bounds, ...picture }, view.transform, view.screen);
      const expected = findClassPixels({ ...whole, grid: cells }, cellView, view.screen);
      expect(grid).toEqual({ kind: "raw", ...view.screen, indices: expected });
      drawn += Number(expected.some((index) => index !== 0));
    }),
    { seed: 20261123, numRuns: 300 },
  );
  expect(drawn).toBeGreaterThan(50);
});

test("a picture of another form comes with its cells", async () => {
  const [picture, view] = [
    fc.sample(anyPicture, { seed: 3, numRuns: 1 })[0]!,
    fc.sample(anyView, { seed: 4, numRuns: 1 })[0]!,
  ];
  expect(await decode(picture, true, false, view)).toEqual(await decode(picture, true, true));
});
