// Paints the layers of a revision over the ground of a sheet: classes in their exact colors, the lowest layer first,
// contours of hail, and a faint hatch where no radar sees.
import { crc32 } from "node:zlib";
import { AppError } from "../../../../shared/app-error.ts";
import { colorClasses } from "../../../../shared/frames/class-colors.ts";
import type { CoverageGrid } from "../../../../shared/frames/coverage-grid.ts";
import {
  findOutlined,
  outlineColors,
  outlineWidthPx,
  traceOutlines,
} from "../../../../shared/frames/outlines.ts";
import { readFrameParts, type IndexedFrameParts } from "../../../../shared/frames/read-frame.ts";
import { mercatorX } from "../../../../shared/geo/mercator.ts";
import { readChunks } from "../../../../shared/png/chunks.ts";
import { toRgba } from "../../../../shared/products/palettes.ts";
import type { MapView } from "../ground/map-view.ts";
import { drawColors } from "./draw-colors.ts";
import { inflateFrame, type FrameSource } from "./draw-frame.ts";
import { sampleClasses } from "./sample-classes.ts";

export interface LayerSource extends FrameSource {
  /** Lower edge of the first class drawn, in the product's unit; undefined draws all. */
  readonly showFrom: number | undefined;
}

export interface PaintTarget {
  readonly view: MapView;
  /** Opaque RGBA of the ground, view.heightPx rows of view.widthPx pixels; painted over. */
  readonly rgba: Uint8Array;
  /** Width of the contours' lines; 1 is that of the viewer. */
  readonly pixelRatio: number;
}

export interface OpenLayer {
  /** Undefined for another service's picture. */
  readonly coverage: CoverageGrid | undefined;
  /** @throws AppError `stored-data-invalid` for a damaged frame */
  readonly paint: (target: PaintTarget) => Promise<void>;
}

/** @throws AppError `stored-data-invalid` for a damaged frame */
export async function openLayer(source: LayerSource): Promise<OpenLayer> {
  const parts = await explained(() => readFrameParts(readChunks(source.png, crc32), inflateFrame));
  return {
    coverage: parts?.coverage,
    paint: (target) =>
      explained(async () => {
        if (parts) await paintParts(parts, source, target);
        else blend(target.rgba, await drawColors(source.png, source.bounds, target.view));
      }),
  };
}

async function explained<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw new AppError("stored-data-invalid", "A stored frame cannot be read.", { cause: error });
  }
}

async function paintParts(
  parts: IndexedFrameParts,
  { bounds, product, palette, showFrom }: LayerSource,
  { view, rgba, pixelRatio }: PaintTarget,
): Promise<void> {
  const { indices } = await sampleClasses({ parts, bounds, product }, view, { pixelRatio, facts: false });
  paintClasses(rgba, indices, toColors(parts, palette, showFrom));
  const { classes, header } = parts;
  const outlined = classes ? findOutlined(classes, showFrom) : [];
  const cellPx = (mercatorX(bounds[2]) - mercatorX(bounds[0])) / header.widthPx / view.unitsPerPx;
  const linePx = outlineWidthPx(cellPx / pixelRatio) * pixelRatio;
  if (outlined.length > 0 && linePx > 0) paintOutlines(rgba, indices, { view, outlined, linePx });
}

/** Returns 256 entries of red, green, blue and opacity; hidden classes are transparent. */
function toColors(
  { palette: own, classes }: IndexedFrameParts,
  palette: FrameSource["palette"],
  showFrom = -Infinity,
): Uint8Array {
  if (!classes || palette === "published") return own;
  const colors = colorClasses(own, classes, { palette });
  classes.edges.forEach((edge, index) => {
    if (edge < showFrom) colors[(index + 1) * 4 + 3] = 0;
  });
  return colors;
}

function paintClasses(rgba: Uint8Array, indices: Uint8Array, colors: Uint8Array): void {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, indices.length);
  const plain = new Uint32Array(colors.slice().buffer);
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const index = indices[pixel]!;
    if (index === 0) continue;
    const opacity = colors[index * 4 + 3]!;
    if (opacity === 255) pixels[pixel] = plain[index]!;
    else if (opacity > 0) blendPixel(rgba, pixel * 4, colors, index * 4);
  }
}

function blend(rgba: Uint8Array, over: Uint8Array): void {
  for (let at = 0; at < over.length; at += 4) if (over[at + 3]! > 0) blendPixel(rgba, at, over, at);
}

/** Blends a pixel of `over` onto an opaque one. Unrolled: a sheet has half a million such pixels. */
export function blendPixel(rgba: Uint8Array, at: number, over: Uint8Array, from: number): void {
  const opacity = over[from + 3]!;
  const rest = 255 - opacity;
  rgba[at] = (over[from]! * opacity + rgba[at]! * rest + 127) / 255;
  rgba[at + 1] = (over[from + 1]! * opacity + rgba[at + 1]! * rest + 127) / 255;
  rgba[at + 2] = (over[from + 2]! * opacity + rgba[at + 2]! * rest + 127) / 255;
}

interface OutlineLook {
  readonly view: MapView;
  readonly outlined: readonly number[];
  readonly linePx: number;
}

function paintOutlines(
  rgba: Uint8Array,
  indices: Uint8Array,
  { view: { widthPx, heightPx }, outlined, linePx }: OutlineLook,
): void {
  const [light, dark] = [toRgba(outlineColors.light), toRgba(outlineColors.dark)];
  const distances = traceOutlines({ indices, widthPx, heightPx, outlined, linePx });
  for (let pixel = 0; pixel < distances.length; pixel++) {
    const away = distances[pixel]!;
    if (away > 0) rgba.set(2 * away <= linePx ? light : dark, pixel * 4);
  }
}
