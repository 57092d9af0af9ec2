import { expect, test } from "vitest";
import { blend, divideByAlpha, toPixel } from "./pixel-blend.ts";

const channels = (pixel: number): number[] => [...new Uint8Array(Uint32Array.of(pixel).buffer)];

test("a pixel has the order of a canvas, and is multiplied by its alpha", () => {
  expect(channels(toPixel(200, 100, 50, 1))).toEqual([200, 100, 50, 255]);
  expect(channels(toPixel(200, 100, 50, 0.5))).toEqual([100, 50, 25, 128]);
});

test("blending rounds each channel as division by 255 does", () => {
  for (let alpha = 0; alpha <= 255; alpha += 5) {
    for (let under = 0; under <= 255; under += 3) {
      const over = toPixel(240, 17, 128, alpha / 255);
      const before = toPixel(under, 255 - under, under, 1);
      const expected = channels(over).map((value, at) =>
        Math.round(value + (channels(before)[at]! * (255 - alpha)) / 255),
      );
      expect(channels(blend(before, over))).toEqual(expected);
    }
  }
});

test("over nothing, a pixel stays as it is", () => {
  const pixel = toPixel(200, 100, 50, 0.25);
  expect(blend(0, pixel)).toBe(pixel);
  expect(blend(pixel, 0)).toBe(pixel);
});

test("a canvas gets the colors without their alpha", () => {
  const pixels = new Uint8ClampedArray(Uint32Array.of(toPixel(200, 100, 50, 0.5), 0).buffer);
  divideByAlpha(pixels);
  expect([...pixels]).toEqual([199, 100, 50, 128, 0, 0, 0, 0]);
});
