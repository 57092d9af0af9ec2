// Radar coverage out of a frame: whether a point of the earth is inside.
import { inflateSync } from "node:zlib";
import { FrameCoverage, frameCoverageKeyword } from "../../../../shared/contract/frame-metadata.ts";
import type { PngChunk } from "../../../../shared/png/chunks.ts";
import { findText } from "../../../../shared/png/png-text.ts";

export interface Coverage {
  /** Of the coverage grid: which column holds a longitude, and which row a latitude; -1 beyond it. */
  readonly columnOf: (longitude: number) => number;
  readonly rowOf: (latitude: number) => number;
  readonly isCovered: (column: number, row: number) => boolean;
}

/** Undefined for a frame that does not say. Throws for one that says it wrongly. */
export function readCoverage(chunks: readonly PngChunk[]): Coverage | undefined {
  const text = findText(chunks, frameCoverageKeyword);
  if (text === undefined) return undefined;
  const { bounds, width, height, bits } = FrameCoverage.parse(JSON.parse(text));
  const byteLength = Math.ceil((width * height) / 8);
  const cells = inflateSync(Buffer.from(bits, "base64"), { maxOutputLength: byteLength });
  if (cells.length < byteLength) throw new Error("The coverage of the frame is cut short.");
  const [west, south, east, north] = bounds;
  const within = (cell: number, count: number): number => (cell >= 0 && cell < count ? cell : -1);
  return {
    columnOf: (longitude) => within(Math.floor(((longitude - west) / (east - west)) * width), width),
    rowOf: (latitude) => within(Math.floor(((north - latitude) / (north - south)) * height), height),
    isCovered(column, row) {
      if (column < 0 || row < 0) return false;
      const bit = row * width + column;
      return ((cells[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
    },
  };
}
