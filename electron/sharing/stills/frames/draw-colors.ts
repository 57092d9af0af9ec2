// Draws another service's picture, which has colors but no classes, on the pixels of a still: nearest neighbor.
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { maxFramePixels } from "../../../../shared/contract/frame-format.ts";
import type { MapView } from "../ground/map-view.ts";
import { createSampleGrid } from "./sample-grid.ts";

/** Larger pictures are shrunk to this before they are sampled. */
const mostPictureSidePx = 4000;

/** Returns RGBA as in `DrawnFrame`. Throws for a damaged picture. */
export async function drawColors(png: Uint8Array, bounds: Bounds, view: MapView): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const picture = sharp(png, { limitInputPixels: maxFramePixels });
  const { width, height } = await picture.metadata();
  // Shrinks first: the whole picture could exceed the memory.
  const factor = Math.min(1, mostPictureSidePx / Math.max(width, height));
  const size = {
    widthPx: Math.max(1, Math.round(width * factor)),
    heightPx: Math.max(1, Math.round(height * factor)),
  };
  const pixels = await picture
    .toColourspace("srgb")
    .ensureAlpha()
    .resize(size.widthPx, size.heightPx, { kernel: "nearest", fit: "fill" })
    .raw()
    .toBuffer();
  const { columns, rows } = createSampleGrid(bounds, size, view, false);
  const rgba = new Uint8Array(view.widthPx * view.heightPx * 4);
  for (let y = 0; y < view.heightPx; y++) {
    const row = rows.starts[y]!;
    if (rows.ends[y]! <= row) continue;
    for (let x = 0; x < view.widthPx; x++) {
      const column = columns.starts[x]!;
      if (columns.ends[x]! <= column) continue;
      const from = (row * size.widthPx + column) * 4;
      rgba.set(pixels.subarray(from, from + 4), (y * view.widthPx + x) * 4);
    }
  }
  return rgba;
}
