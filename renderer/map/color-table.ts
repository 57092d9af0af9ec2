// The colors of a frame's palette indices: those in the PNG, or those of the palette that the person chose. Pure.
import type { FrameClasses } from "../../shared/contract/index.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { stopColors, type PaletteId } from "../../shared/products/palettes.ts";
import type { IndexedFrame } from "./decoded-frame.ts";

/** Swapped tables: a frame returns the same array each time it is drawn. */
const swapped = new WeakMap<IndexedFrame, Map<PaletteId, Uint8Array<ArrayBuffer>>>();

/**
 * Returns 256 RGBA entries, not premultiplied. A frame without a class table keeps its own colors: their meaning is
 * unknown.
 */
export function toColorTable(frame: IndexedFrame, palette: PaletteId): Uint8Array<ArrayBuffer> {
  if (palette === "standard" || !frame.classes) return frame.palette;
  const tables = swapped.get(frame) ?? new Map<PaletteId, Uint8Array<ArrayBuffer>>();
  swapped.set(frame, tables);
  const table = tables.get(palette) ?? createTable(frame, frame.classes, palette);
  tables.set(palette, table);
  return table;
}

function createTable(
  frame: IndexedFrame,
  { product: id, edges }: FrameClasses,
  palette: PaletteId,
): Uint8Array<ArrayBuffer> {
  const product = getProduct(id);
  const colors = stopColors(product, palette);
  const table = frame.palette.slice();
  edges.forEach((edge, index) => {
    // A class below the first stop takes the first color; our own products have none.
    const stop = Math.max(
      0,
      product.stops.findLastIndex(({ from }) => from <= edge),
    );
    table.set(parseColor(colors[stop]!), (index + 1) * 4);
  });
  return table;
}

/** Returns an entry as `#rrggbb`, without its alpha. */
export function colorOf(table: Uint8Array, index: number): string {
  const [red, green, blue] = table.subarray(index * 4, index * 4 + 3);
  return `#${[red!, green!, blue!].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function parseColor(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
