// Draws a frame as RGBA on the pixels of a briefing's still: each class in its own color, a faint hatch outside radar
// coverage.
import { crc32 } from "node:zlib";
import { AppError } from "../../../../shared/app-error.ts";
import type { FrameClasses } from "../../../../shared/contract/frame-metadata.ts";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import {
  findOutlined,
  outlineColors,
  outlineWidthPx,
  traceOutlines,
} from "../../../../shared/frames/outlines.ts";
import { colorClasses } from "../../../../shared/frames/class-colors.ts";
import {
  readFrameParts,
  type IndexedFrameParts,
  type Inflate,
} from "../../../../shared/frames/read-frame.ts";
import { mercatorX } from "../../../../shared/geo/mercator.ts";
import { readChunks } from "../../../../shared/png/chunks.ts";
import { toRgba, type PaletteId } from "../../../../shared/products/palettes.ts";
import type { Product } from "../../../../shared/products/product.ts";
import { inflatePicture } from "../../../platform/png/inflate-image.ts";
import type { MapView } from "../ground/map-view.ts";
import { hatching } from "../still-look.ts";
import { drawColors } from "./draw-colors.ts";
import type { FrameFacts } from "./still-facts.ts";
import { findHatched } from "./hatch.ts";
import { sampleClasses } from "./sample-classes.ts";

export interface FrameSource {
  readonly png: Uint8Array;
  /** Outer edges of the picture. */
  readonly bounds: Bounds;
  readonly product: Product;
  /** "published" keeps the colors of the PNG, which the legend of another service describes. */
  readonly palette: PaletteId | "published";
}

export interface DrawnFrame {
  /** view.heightPx rows of view.widthPx pixels: red, green, blue, opacity. */
  readonly rgba: Uint8Array;
  /** Undefined for another service's picture without classes. */
  readonly facts: FrameFacts | undefined;
  /** True if the hatch shows where radars do not see. */
  readonly hasCoverage: boolean;
}

/** @throws AppError `stored-data-invalid` for a frame that cannot be read */
export async function drawFrame(
  { png, bounds, product, palette }: FrameSource,
  view: MapView,
): Promise<DrawnFrame> {
  try {
    const parts = await readFrameParts(readChunks(png, crc32), inflateFrame);
    if (!parts) return { rgba: await drawColors(png, bounds, view), facts: undefined, hasCoverage: false };
    const needs = { pixelRatio: 1, facts: true } as const;
    const { indices, facts } = await sampleClasses({ parts, bounds, product }, view, needs);
    const rgba = paint(indices, toColors(parts, palette));
    if (parts.classes) {
      outline(rgba, indices, { bounds, widthPx: parts.header.widthPx, classes: parts.classes }, view);
    }
    if (parts.coverage) {
      findHatched(parts.coverage, view, 1, (at) => {
        if (rgba[at + 3] === 0) rgba.set(hatching.rgba, at);
      });
    }
    return { rgba, facts, hasCoverage: parts.coverage !== undefined };
  } catch (error) {
    throw new AppError("stored-data-invalid", "A stored frame cannot be read.", { cause: error });
  }
}

/** Inflates the coverage of a frame. */
export const inflateFrame: Inflate = (bytes, inflatedByteLength) =>
  Promise.resolve(new Uint8Array(inflatePicture({ bytes, inflatedByteLength, offset: 0 })));

function toColors(
  { palette: own, classes }: IndexedFrameParts,
  palette: FrameSource["palette"],
): Uint32Array {
  const colors = classes && palette !== "published" ? colorClasses(own, classes, { palette }) : own;
  return new Uint32Array(colors.buffer);
}

function paint(indices: Uint8Array, palette: Uint32Array): Uint8Array {
  const rgba = new Uint32Array(indices.length);
  for (let pixel = 0; pixel < indices.length; pixel++) rgba[pixel] = palette[indices[pixel]!]!;
  return new Uint8Array(rgba.buffer);
}

interface OutlinedFrame {
  readonly bounds: Bounds;
  readonly widthPx: number;
  readonly classes: FrameClasses;
}

/** Draws the contours as the viewer does. */
function outline(
  rgba: Uint8Array,
  indices: Uint8Array,
  { bounds: [west, , east], widthPx: columns, classes }: OutlinedFrame,
  { widthPx, heightPx, unitsPerPx }: MapView,
): void {
  const cellPx = (mercatorX(east) - mercatorX(west)) / columns / unitsPerPx;
  const linePx = outlineWidthPx(cellPx);
  const outlined = findOutlined(classes, undefined);
  const [light, dark] = [toRgba(outlineColors.light), toRgba(outlineColors.dark)];
  traceOutlines({ indices, widthPx, heightPx, outlined, linePx }).forEach((away, pixel) => {
    if (away > 0) rgba.set(2 * away <= linePx ? light : dark, pixel * 4);
  });
}
