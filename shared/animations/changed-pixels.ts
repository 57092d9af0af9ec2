// Compares the pixels of a frame with those of the frame before: what stays the same is not written again.
import { unchangedColor, type PixelColors } from "./gif-colors.ts";

/** Replaces pixels that are as before by transparent ones. Pixels are little-endian: 0xAABBGGRR. */
export function clearUnchanged(pixels: Uint32Array, before: Uint32Array): void {
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    if (pixels[pixel] === before[pixel]) pixels[pixel] = 0;
  }
}

/** Counts the colors of a frame; without a frame before, all pixels have changed. */
export function countColors(pixels: Uint32Array, before: Uint32Array | undefined): PixelColors {
  const table = new ColorTable();
  const positions = new Uint32Array(pixels.length);
  let hasUnchanged = false;
  let lastColor = -1;
  let lastPosition = 0;
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const color = pixels[pixel]!;
    if (color === before?.[pixel]) {
      positions[pixel] = unchangedColor;
      hasUnchanged = true;
      continue;
    }
    if (color !== lastColor) {
      lastColor = color;
      lastPosition = table.find(color);
    }
    positions[pixel] = lastPosition;
    table.count(lastPosition);
  }
  return { ...table.finish(), positions, hasUnchanged };
}

/** Open addressing, because a Map of numbers is too slow for each run of pixels. Grows at half its slots. */
class ColorTable {
  /** Position + 1 of the color in each slot; 0 is free. */
  #slots = new Uint32Array(1 << 14);
  #colors = new Uint32Array(1 << 13);
  #counts = new Uint32Array(1 << 13);
  #length = 0;

  find(color: number): number {
    const slot = this.#findSlot(color);
    const position = this.#slots[slot]! - 1;
    if (position >= 0) return position;
    if (this.#length === this.#colors.length) {
      this.#grow();
      return this.find(color);
    }
    this.#colors[this.#length] = color;
    this.#slots[slot] = ++this.#length;
    return this.#length - 1;
  }

  count(position: number): void {
    this.#counts[position]!++;
  }

  finish(): Pick<PixelColors, "colors" | "counts"> {
    return {
      colors: this.#colors.subarray(0, this.#length),
      counts: this.#counts.subarray(0, this.#length),
    };
  }

  #findSlot(color: number): number {
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(color, 0x9e37_79b1) >>> 12) & mask;
    while (this.#slots[slot] !== 0 && this.#colors[this.#slots[slot]! - 1] !== color)
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const colors = this.#colors;
    const counts = this.#counts;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.#colors = new Uint32Array(colors.length * 2);
    this.#counts = new Uint32Array(colors.length * 2);
    this.#colors.set(colors);
    this.#counts.set(counts);
    for (let position = 0; position < colors.length; position++)
      this.#slots[this.#findSlot(colors[position]!)] = position + 1;
  }
}
