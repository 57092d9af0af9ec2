// A frame's picture: an indexed PNG of class indices with the product's palette, its class table and its coverage.
import { frameClassesKeyword, frameCoverageKeyword } from "../../../shared/contract/frame-format.ts";
import type { FrameClasses, FrameCoverage } from "../../../shared/contract/frame-metadata.ts";
import { defaultPalette, stopColors, toRgba } from "../../../shared/products/palettes.ts";
import { findStop } from "../../../shared/products/find-stop.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { streamPng } from "../../platform/png/write.ts";

export interface FramePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Writes a row's filter byte and its widthPx filtered class indices. */
  readonly writeScanline: (row: number, line: Uint8Array) => void;
  readonly classes: FrameClasses;
  readonly coverage: FrameCoverage;
}

export function encodeFramePng(picture: FramePicture): Promise<Uint8Array> {
  const { widthPx, heightPx, writeScanline, classes, coverage } = picture;
  const colors = toColors(classes);
  return streamPng({
    widthPx,
    heightPx,
    bitDepth: 8,
    colorType: "palette",
    writeScanline,
    palette: Uint8Array.from(colors.flatMap(([red, green, blue]) => [red, green, blue])),
    transparency: Uint8Array.from(colors.map(([, , , alpha]) => alpha)),
    texts: [
      { keyword: frameClassesKeyword, text: JSON.stringify(classes) },
      { keyword: frameCoverageKeyword, text: JSON.stringify(coverage) },
    ],
    // For the CONUS composite with the Sub filter: 0.82 MB in 40 ms; a full search gives 0.92 MB in three times as
    // long.
    strategy: "rle",
  });
}

/** Returns the colors of index 0, which draws nothing, and of each class: that of its legend stop. */
function toColors({
  product: id,
  edges,
}: FrameClasses): (readonly [red: number, green: number, blue: number, alpha: number])[] {
  const product = getProduct(id);
  const colors = stopColors(product, defaultPalette).map(toRgba);
  return [[0, 0, 0, 0], ...edges.map((edge) => colors[findStop(product, edge)]!)];
}
