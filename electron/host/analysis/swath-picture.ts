// Writes a swath as a PNG of the same form as a frame.
import { deflateSync } from "node:zlib";
import type { Swath } from "../../../shared/analysis/swath.ts";
import { projectRows } from "../../../shared/geo/project-rows.ts";
import { FILTER_CODES } from "../../../shared/png/unfilter.ts";
import { encodeFramePng, type FramePicture } from "../../pipeline/raster/frame-png.ts";

/** Returns the file: one transparent pixel if nothing is drawn. */
export function encodeSwath(swath: Swath): Promise<Uint8Array> {
  const { classes, coverage } = swath;
  const bits = deflateSync(coverage.bits, { level: 9 }).toString("base64");
  return encodeFramePng({ ...toPicture(swath), classes, coverage: { ...coverage, bits } });
}

function toPicture({
  cells,
  block,
  highest,
}: Swath): Pick<FramePicture, "widthPx" | "heightPx" | "writeScanline"> {
  if (!cells) return { widthPx: 1, heightPx: 1, writeScanline: (_row, line) => void line.fill(0) };
  const rows = projectRows(cells, block);
  const widthPx = block.columnEnd - block.columnStart;
  const writeScanline = (pixelRow: number, line: Uint8Array): void => {
    const row = rows[pixelRow]!;
    if (pixelRow > 0 && row === rows[pixelRow - 1]) {
      // The same row of cells again.
      line.fill(0);
      line[0] = FILTER_CODES.up;
      return;
    }
    const start = row * cells.columns + block.columnStart;
    line[0] = FILTER_CODES.sub;
    line[1] = highest[start]!;
    for (let column = 1; column < widthPx; column++) {
      line[column + 1] = highest[start + column]! - highest[start + column - 1]!;
    }
  };
  return { widthPx, heightPx: rows.length, writeScanline };
}
