// A frame as RGBA on the pixels of a still: every class in its own colour, a faint hatch where no radar sees.
import { AppError } from "../../../../shared/app-error.ts";
import { FrameClasses, frameClassesKeyword } from "../../../../shared/contract/frame-metadata.ts";
import { maxFramePixels } from "../../../../shared/contract/frame-limits.ts";
import type { Bounds } from "../../../../shared/contract/primitives.ts";
import { latitudeOfY, longitudeOfX } from "../../../../shared/geo/mercator.ts";
import type { PngChunk } from "../../../../shared/png/chunks.ts";
import { PngError } from "../../../../shared/png/png-error.ts";
import { findText } from "../../../../shared/png/png-text.ts";
import type { Product } from "../../../../shared/products/product.ts";
import { parsePng, type PngFile } from "../../../platform/png/read.ts";
import type { MapView } from "../stills/map-view.ts";
import { drawColours } from "./draw-colours.ts";
import type { FrameFacts } from "./frame-facts.ts";
import { readClasses } from "./read-classes.ts";
import { readCoverage, type Coverage } from "./read-coverage.ts";

export interface FrameSource {
  readonly png: Uint8Array;
  /** Outer edges of the picture. */
  readonly bounds: Bounds;
  readonly product: Product;
}

export interface DrawnFrame {
  /** view.heightPx rows of view.widthPx pixels, red, green, blue, opacity. */
  readonly rgba: Uint8Array;
  /** Undefined for a picture of another service that carries no classes. */
  readonly facts: FrameFacts | undefined;
  /** Whether the hatch tells where no radar sees. */
  readonly hasCoverage: boolean;
}

/** @throws AppError `stored-data-invalid` for a frame that cannot be read */
export async function drawFrame(source: FrameSource, view: MapView): Promise<DrawnFrame> {
  try {
    return await draw(source, view);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("stored-data-invalid", "A stored frame cannot be read.", { cause: error });
  }
}

async function draw({ png, bounds, product }: FrameSource, view: MapView): Promise<DrawnFrame> {
  const file = findIndexed(png);
  if (!file) return { rgba: await drawColours(png, bounds, view), facts: undefined, hasCoverage: false };
  const { widthPx, heightPx } = file.header;
  if (widthPx * heightPx > maxFramePixels) throw new PngError("the picture is too large", 0);
  const text = findText(file.chunks, frameClassesKeyword);
  const classes = text === undefined ? undefined : FrameClasses.parse(JSON.parse(text));
  const { indices, facts } = await readClasses({ file, bounds, classes, product }, view);
  const rgba = paint(indices, readPalette(file.chunks));
  const coverage = readCoverage(file.chunks);
  if (coverage) hatch(rgba, coverage, view);
  return { rgba, facts, hasCoverage: coverage !== undefined };
}

/** Undefined for a PNG of a kind that is not ours: one of colours, of fewer bits, interlaced. */
function findIndexed(png: Uint8Array): PngFile | undefined {
  try {
    const file = parsePng(png);
    return file.header.colourType === "palette" && file.header.bitDepth === 8 ? file : undefined;
  } catch (error) {
    if (error instanceof PngError) return undefined;
    throw error;
  }
}

/** 256 entries of RGBA, each a number as a little-endian machine reads four bytes; what the file lacks is transparent. */
function readPalette(chunks: readonly PngChunk[]): Uint32Array {
  const colours = chunks.find(({ type }) => type === "PLTE")?.content ?? new Uint8Array();
  const opacities = chunks.find(({ type }) => type === "tRNS")?.content;
  const palette = new Uint8Array(256 * 4);
  for (let entry = 0; entry * 3 + 2 < colours.length && entry < 256; entry++) {
    palette.set(colours.subarray(entry * 3, entry * 3 + 3), entry * 4);
    palette[entry * 4 + 3] = opacities?.[entry] ?? 255;
  }
  return new Uint32Array(palette.buffer);
}

function paint(indices: Uint8Array, palette: Uint32Array): Uint8Array {
  const rgba = new Uint32Array(indices.length);
  for (let pixel = 0; pixel < indices.length; pixel++) rgba[pixel] = palette[indices[pixel]!]!;
  return new Uint8Array(rgba.buffer);
}

const hatchDistancePx = 14;
const hatchWidthPx = 2;
const hatchColour = [141, 154, 168, 46] as const;

function hatch(rgba: Uint8Array, coverage: Coverage, view: MapView): void {
  const { widthPx, heightPx, westX, northY, unitsPerPx } = view;
  const columns = Int32Array.from({ length: widthPx }, (_, x) =>
    coverage.columnOf(longitudeOfX(westX + (x + 0.5) * unitsPerPx)),
  );
  for (let y = 0; y < heightPx; y++) {
    const row = coverage.rowOf(latitudeOfY(northY + (y + 0.5) * unitsPerPx));
    for (let x = 0; x < widthPx; x++) {
      if ((x + y) % hatchDistancePx >= hatchWidthPx || coverage.isCovered(columns[x]!, row)) continue;
      const at = (y * widthPx + x) * 4;
      if (rgba[at + 3] === 0) rgba.set(hatchColour, at);
    }
  }
}
