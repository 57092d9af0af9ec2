// Turns cells of a whole grid into a frame that the map draws: rows of Web Mercator pixels, and their coarser levels.
import { pairBlock } from "../../shared/analysis/changed-cells.ts";
import type { CellFrame } from "../../shared/analysis/cell-frame.ts";
import { changeMarks, drawDifference } from "../../shared/analysis/difference-picture.ts";
import { blockBounds, isEmptyBlock, type CellBlock, type LatLonGrid } from "../../shared/geo/grid.ts";
import { projectRows } from "../../shared/geo/project-rows.ts";
import type { IndexedFrame } from "./decoded-frame.ts";
import { findEchoBlock } from "./echo-block.ts";
import { IndexPyramidBuilder, type IndexPyramid } from "./index-pyramid.ts";

type PictureFacts = Pick<IndexedFrame, "classes" | "coverage" | "palette" | "changeUnit">;

/** Requires frames that can be compared. */
export function toDifferencePicture(before: CellFrame, after: CellFrame): IndexedFrame {
  const cells = before.cells ?? after.cells;
  const block = pairBlock(before, after);
  const palette = opaquePalette(changeMarks.length);
  const facts = { classes: undefined, coverage: undefined, palette, changeUnit: before.classes.unit };
  if (!cells || isEmptyBlock(block)) return toBlank(facts);
  const picture = new PictureBuilder(cells, block);
  drawDifference(before, after, (_row, indices) => {
    picture.addCells(indices);
  });
  return picture.finish(facts);
}

/** One transparent pixel. */
export function toBlank(facts: PictureFacts): IndexedFrame {
  const builder = new IndexPyramidBuilder(1, 1, true);
  builder.addRow(new Uint8Array(1));
  return { kind: "indexed", widthPx: 1, heightPx: 1, ...builder.finish(), echo: undefined, ...facts };
}

/** Takes rows of cells from north to south, and repeats those that have several rows of pixels. */
class PictureBuilder {
  readonly #cells: LatLonGrid;
  readonly #block: CellBlock;
  readonly #rows: Int32Array;
  readonly #builder: IndexPyramidBuilder;
  #pixelRow = 0;

  constructor(cells: LatLonGrid, block: CellBlock) {
    this.#cells = cells;
    this.#block = block;
    this.#rows = projectRows(cells, block);
    this.#builder = new IndexPyramidBuilder(block.columnEnd - block.columnStart, this.#rows.length, true);
  }

  addCells(indices: Uint8Array): void {
    const row = this.#rows[this.#pixelRow];
    for (; this.#pixelRow < this.#rows.length && this.#rows[this.#pixelRow] === row; this.#pixelRow++) {
      this.#builder.addRow(indices);
    }
  }

  finish(facts: PictureFacts): IndexedFrame {
    const pyramid: IndexPyramid = this.#builder.finish();
    const { widthPx, heightPx } = pyramid.grid;
    const echo = findEchoBlock(pyramid.grid, facts.classes);
    const bounds = blockBounds(this.#cells, this.#block);
    return { kind: "indexed", widthPx, heightPx, ...pyramid, echo, ...facts, bounds };
  }
}

/** Nothing for index 0, then opaque black: the map colors these frames by what their indices mean. */
export function opaquePalette(entries: number): Uint8Array<ArrayBuffer> {
  const palette = new Uint8Array(256 * 4);
  for (let entry = 1; entry < entries; entry++) palette[entry * 4 + 3] = 255;
  return palette;
}
