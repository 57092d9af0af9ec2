import { expect, test } from "vitest";
import { worldPx } from "../../../map/scale-lengths.ts";
import { fixedSizes, toCamera, toLayout } from "./sheet-layout.ts";

test("4K has the layout of 1080p with twice the pixels", () => {
  const small = toLayout(fixedSizes["1080p"]);
  const large = toLayout(fixedSizes["4k"]);
  expect(large).toEqual({ ...small, scale: 2 * small.scale });
  // Text of 13 px is drawn with more than 20.
  expect(13 * small.scale).toBeGreaterThan(20);
});

test.each([
  [1024, 768],
  [1280, 1024],
  [3440, 1440],
  [1080, 1920],
])("a display of %i by %i has room for the words of a picture", (widthPx, heightPx) => {
  const layout = toLayout({ widthPx, heightPx });
  expect(layout.widthPx).toBeGreaterThanOrEqual(1200);
  expect(layout.heightPx).toBeGreaterThanOrEqual(675);
  expect(Math.round(layout.widthPx * layout.scale)).toBe(widthPx);
  expect(Math.round(layout.heightPx * layout.scale)).toBe(heightPx);
});

test.each([
  [1000, 568],
  [744, 408],
  [600, 1200],
  [2200, 700],
])("the picture of a map of %i by %i shows all of its area", (widthPx, heightPx) => {
  const layout = toLayout(fixedSizes["1080p"]);
  const view = { center: [-97.4, 35.2] as [number, number], zoom: 6 };
  const { center, zoom } = toCamera(view, { widthPx, heightPx }, layout);
  expect(center).toEqual(view.center);
  const spanOf = (px: number, at: number): number => px / (worldPx * 2 ** at);
  expect(spanOf(layout.widthPx, zoom)).toBeGreaterThanOrEqual(spanOf(widthPx, 6) - 1e-12);
  expect(spanOf(layout.heightPx, zoom)).toBeGreaterThanOrEqual(spanOf(heightPx, 6) - 1e-12);
});
