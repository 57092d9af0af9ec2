// A raster of cells as a PNG with its own colors: a pixel a cell, so nothing is blended or moved.
import { PNG_SIGNATURE } from "../png/chunks.ts";
import { crc32 } from "../png/crc32.ts";
import type { CellRaster } from "./cell-raster.ts";
import type { Deflate } from "./deflate.ts";

/** Eight bits, palette, not interlaced. */
const form = [8, 3, 0, 0, 0];

export async function encodeCellPng(
  { columns, rows, indices, palette }: Pick<CellRaster, "columns" | "rows" | "indices" | "palette">,
  deflate: Deflate,
): Promise<Uint8Array<ArrayBuffer>> {
  // Each line has a filter byte before it, which is 0: none.
  const lines = new Uint8Array(rows * (columns + 1));
  for (let row = 0; row < rows; row++) {
    lines.set(indices.subarray(row * columns, (row + 1) * columns), row * (columns + 1) + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, columns);
  view.setUint32(4, rows);
  header.set(form, 8);
  const entries = Array.from({ length: palette.length / 4 }, (_, entry) => entry * 4);
  return join([
    PNG_SIGNATURE,
    ...toChunk("IHDR", header),
    ...toChunk(
      "PLTE",
      Uint8Array.from(entries.flatMap((at) => [palette[at]!, palette[at + 1]!, palette[at + 2]!])),
    ),
    ...toChunk("tRNS", Uint8Array.from(entries.map((at) => palette[at + 3]!))),
    ...toChunk("IDAT", await deflate(lines)),
    ...toChunk("IEND", new Uint8Array(0)),
  ]);
}

function toChunk(type: string, content: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, content.length);
  head.set(
    Array.from(type, (letter) => letter.charCodeAt(0)),
    4,
  );
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(content, crc32(head.subarray(4))));
  return [head, content, check];
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
