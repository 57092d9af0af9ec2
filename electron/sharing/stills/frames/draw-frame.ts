// Draws a frame as RGBA on the pixels of a still: each class in its own color, a faint hatch outside radar coverage.
import { crc32 } from "node:zlib";
import { AppError } from "../../../../shared/app-error.ts";
import type { FrameClasses } from "../../../../shared/contract/frame-metadata.ts";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import {
  coverageColumn,
  coverageRow,
  isCellCovered,
  type CoverageGrid,
} from "../../../../shared/frames/coverage-grid.ts";
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
import { latitudeOfY, longitudeOfX, mercatorX } from "../../../../shared/geo/mercator.ts";
import { readChunks } from "../../../../shared/png/chunks.ts";
import { toRgba, type PaletteId } from "../../../../shared/products/palettes.ts";
import type { Product } from "../../../../shared/products/product.ts";
import { inflatePicture } from "../../../platform/png/inflate-image.ts";
import { hatching } from "../still-look.ts";
import type { MapView } from "../ground/map-view.ts";
import { drawColors } from "./draw-colors.ts";
import type { FrameFacts } from "./frame-facts.ts";
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
    const parts = await readFrameParts(readChunks(png, crc32), inflate);
    if (!parts) return { rgba: await drawColors(png, bounds, view), facts: undefined, hasCoverage: false };
    const { indices, facts } = await sampleClasses({ parts, bounds, product }, view);
    const rgba = paint(indices, toColors(parts, palette));
    if (parts.classes) {
      outline(rgba, indices, { bounds, widthPx: parts.header.widthPx, classes: parts.classes }, view);
    }
    if (parts.coverage) hatch(rgba, parts.coverage, view);
    return { rgba, facts, hasCoverage: parts.coverage !== undefined };
  } catch (error) {
    throw new AppError("stored-data-invalid", "A stored frame cannot be read.", { cause: error });
  }
}

const inflate: Inflate = (bytes, inflatedByteLength) =>
  Promise.resolve(new Uint8Array(inflatePicture({ bytes, inflatedByteLength, offset: 0 })));

function toColors(
  { palette: own, classes }: IndexedFrameParts,
  palette: FrameSource["palette"],
): Uint32Array {
  const colors = classes && palette !== "published" ? colorClasses(own, classes, palette) : own;
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

function hatch(rgba: Uint8Array, coverage: CoverageGrid, view: MapView): void {
  const { widthPx, heightPx, westX, northY, unitsPerPx } = view;
  const columns = Int32Array.from({ length: widthPx }, (_, x) =>
    coverageColumn(coverage, longitudeOfX(westX + (x + 0.5) * unitsPerPx)),
  );
  for (let y = 0; y < heightPx; y++) {
    const row = coverageRow(coverage, latitudeOfY(northY + (y + 0.5) * unitsPerPx));
    for (let x = 0; x < widthPx; x++) {
      const isLine = (x + y) % hatching.distancePx < hatching.widthPx;
      if (!isLine || isCellCovered(coverage, columns[x]!, row)) continue;
      const at = (y * widthPx + x) * 4;
      if (rgba[at + 3] === 0) rgba.set(hatching.rgba, at);
    }
  }
}
