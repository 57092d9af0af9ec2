// The colours of a frame's palette indices: as the PNG has them, or swapped for the palette the person chose. Pure.
import type { FrameClasses } from "../../shared/contract/index.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { stopColors } from "../../shared/products/palettes.ts";
import type { PaletteId } from "../../shared/products/palettes.ts";
import type { IndexedFrame } from "./decoded-frame.ts";

/** Swapped tables, so that a frame has the same array each time it is drawn. */
const swapped = new WeakMap<IndexedFrame, Map<PaletteId, Uint8Array<ArrayBuffer>>>();

/**
 * 256 entries of red, green, blue, alpha, not premultiplied. A frame without a class table keeps its own colours, because
 * nobody knows what they mean.
 */
export function toColourTable(frame: IndexedFrame, palette: PaletteId): Uint8Array<ArrayBuffer> {
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
  const colours = stopColors(product, palette);
  const table = frame.palette.slice();
  edges.forEach((edge, index) => {
    // A class below the first stop, which our own products do not have, takes the first colour.
    const stop = Math.max(
      0,
      product.stops.findLastIndex(({ from }) => from <= edge),
    );
    table.set(parseColour(colours[stop]!), (index + 1) * 4);
  });
  return table;
}

/** `#rrggbb` of an entry, without its alpha. */
export function colourOf(table: Uint8Array, index: number): string {
  const [red, green, blue] = table.subarray(index * 4, index * 4 + 3);
  return `#${[red!, green!, blue!].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function parseColour(colour: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
