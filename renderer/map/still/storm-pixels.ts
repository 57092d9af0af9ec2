// Paints the storm on pixels by the processor, as the map's shaders do: hatch, classes, marks and contours. For
// pictures, each of which shows other frames: painting their runs takes less time than their upload.
import { growMarks } from "../../../shared/frames/marks.ts";
import { outlineColors, traceOutlines } from "../../../shared/frames/outlines.ts";
import { toRgba } from "../../../shared/products/palettes.ts";
import type { IndexedFrame } from "../../frames/decoded-frame.ts";
import { toFrameLook } from "../frame-look.ts";
import { findCellView, type CellView, type Screen } from "../../frames/screen/screen-geometry.ts";
import type { StageItem } from "../storm-stage.ts";
import { findCells, findClassPixels } from "../../frames/screen/class-pixels.ts";
import { HatchPixels } from "./hatch-pixels.ts";
import { blend, toPixel } from "./pixel-blend.ts";
import type { ColorPicture, StillFrame, StillView } from "./still-view.ts";

export interface StormPicture {
  /** Bottom first. */
  readonly items: readonly StageItem<StillFrame>[];
  /** Place of the swipe line, 0 to 1; undefined without one. */
  readonly swipe: number | undefined;
  readonly view: StillView;
}

/** Columns of pixels, the second excluded. */
type Columns = readonly [from: number, to: number];

export class StormPixels {
  readonly #hatch = new HatchPixels();
  #classes = new Uint8Array();

  /**
   * Paints the ground, and the storm over it. Both arrays have view.screen.heightPx rows of view.screen.widthPx, from
   * the northwest.
   */
  paint(pixels: Uint32Array, ground: Uint32Array, { items, swipe, view }: StormPicture): void {
    // Both products come from the same radars, so the coverage of the lowest layer that has one is enough.
    const coverage = items.find((item) => item.coverage)?.coverage;
    if (coverage) this.#hatch.paint(pixels, ground, coverage, view);
    else pixels.set(ground);
    for (const item of items) {
      const { texture, frame, side } = item;
      const { widthPx, heightPx } = texture;
      const cells = findCellView({ bounds: frame.bounds, widthPx, heightPx }, view.transform, view.screen);
      const linePx = swipe === undefined ? undefined : Math.round(swipe * view.screen.widthPx);
      const columns: Columns = [
        side === "right" && linePx !== undefined ? linePx : 0,
        side === "left" && linePx !== undefined ? linePx : view.screen.widthPx,
      ];
      if (texture.kind === "color") paintColors(pixels, texture, { item, cells, view, columns });
      else this.#paintClasses(pixels, texture, { item, cells, view, columns });
    }
  }

  #paintClasses(pixels: Uint32Array, frame: IndexedFrame, { item, cells, view, columns }: PlacedItem): void {
    const { screen, pixelRatio } = view;
    const { widthPx, heightPx } = screen;
    const { markedFrom, outlined, opacity } = item;
    const found = this.#findClasses(frame, cells, screen);
    const { markPx, outline } = toFrameLook(item, cells, pixelRatio);
    const indices =
      markPx > 1 ? growMarks({ widthPx, heightPx, indices: found }, markedFrom!, markPx) : found;
    const colors = toPixels(item.colorTable!, opacity).fill(0, 0, 1);
    const linePx = outline[2];
    const distances =
      linePx > 0 ? traceOutlines({ indices: found, widthPx, heightPx, outlined, linePx }) : undefined;
    const [light, dark] = [outlineColors.light, outlineColors.dark].map((color) => {
      const [red, green, blue] = toRgba(color);
      return toPixel(red, green, blue, opacity);
    });
    for (let y = 0; y < heightPx; y++) {
      const end = y * widthPx + columns[1];
      for (let at = y * widthPx + columns[0]; at < end; at++) {
        const index = indices[at]!;
        let over = colors[index]!;
        // A mark lies over the line around it.
        if (distances && distances[at] !== 0 && index === found[at])
          over = 2 * distances[at]! <= linePx ? light! : dark!;
        if (over !== 0) pixels[at] = blend(pixels[at]!, over);
      }
    }
  }

  #findClasses(frame: IndexedFrame, cells: CellView, screen: Screen): Uint8Array {
    if (frame.place && frame.grid.kind === "raw") return frame.grid.indices;
    const pixels = screen.widthPx * screen.heightPx;
    if (this.#classes.length !== pixels) this.#classes = new Uint8Array(pixels);
    return findClassPixels(frame, cells, screen, this.#classes);
  }
}

interface PlacedItem {
  readonly item: StageItem<StillFrame>;
  readonly cells: CellView;
  readonly view: StillView;
  readonly columns: Columns;
}

/** Returns the entries of a color table as pixels. */
function toPixels(table: Uint8Array, opacity: number): Uint32Array {
  return Uint32Array.from({ length: table.length / 4 }, (_, index) => {
    const [red, green, blue, alpha] = table.subarray(4 * index, 4 * index + 4);
    return toPixel(red!, green!, blue!, (alpha! / 255) * opacity);
  });
}

/** Draws the nearest cell on each pixel. */
function paintColors(
  pixels: Uint32Array,
  { pictures }: ColorPicture,
  { item: { opacity }, cells, view: { screen }, columns }: PlacedItem,
): void {
  const across = findCells(cells, 0, screen.widthPx);
  const down = findCells(cells, 1, screen.heightPx).reverse();
  for (const { columnStart, rowStart, widthPx, heightPx, rgba } of pictures) {
    for (const [y, row] of down.entries()) {
      if (row < rowStart || row >= rowStart + heightPx) continue;
      for (let x = columns[0]; x < columns[1]; x++) {
        const column = across[x]! - columnStart;
        if (column < 0 || column >= widthPx) continue;
        const from = 4 * ((row - rowStart) * widthPx + column);
        const at = y * screen.widthPx + x;
        const [red, green, blue] = [rgba[from]!, rgba[from + 1]!, rgba[from + 2]!];
        pixels[at] = blend(pixels[at]!, toPixel(red, green, blue, (rgba[from + 3]! / 255) * opacity));
      }
    }
  }
}
