// The levels of a swath's picture and the classes in each of its rows, kept up to date cell by cell.
import type { FrameClasses } from "../../shared/contract/frame-metadata.ts";
import { IndexGridBuilder, type IndexGrid } from "../../shared/frames/index-grid.ts";
import { blockBounds, type CellBlock, type LatLonGrid } from "../../shared/geo/grid.ts";
import { projectRows } from "../../shared/geo/project-rows.ts";
import type { IndexedFrame } from "./decoded-frame.ts";
import { findEchoBlock } from "./echo-block.ts";
import { cellsOfLevel, coarsestLevel } from "./index-pyramid.ts";

/** One level of the picture. */
interface Level {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The highest class index of each block of cells; empty for the whole picture, which repeats rows of cells. */
  readonly indices: Uint8Array<ArrayBuffer>;
  /** Room for the cells that rose in a row. */
  readonly raised: Uint32Array;
  /** True once runs took more memory: they are not tried again. */
  isRaw: boolean;
}

/** The whole grid with the highest class index of each cell, and the block to draw. */
interface HighestCells {
  readonly cells: LatLonGrid;
  readonly block: CellBlock;
  readonly highest: Uint8Array;
}

type Picture = Pick<IndexedFrame, "kind" | "widthPx" | "heightPx" | "grid" | "coarser" | "echo" | "bounds">;

const classIndices = 256;

export class SwathLevels {
  readonly block: CellBlock;
  readonly #cells: LatLonGrid;
  readonly #highest: Uint8Array;
  /** For each row of the block, the number of cells of each class index. */
  readonly #counts: Uint32Array;
  /** For each row of the block, its first row of pixels; then the number of all. */
  readonly #pixelRows: Int32Array;
  readonly #levels: readonly Level[];

  constructor({ cells, block, highest }: HighestCells) {
    this.block = block;
    this.#cells = cells;
    this.#highest = highest;
    const rows = block.rowEnd - block.rowStart;
    const width = block.columnEnd - block.columnStart;
    const shown = projectRows(cells, block);
    this.#counts = new Uint32Array(rows * classIndices);
    this.#pixelRows = new Int32Array(rows + 1).fill(shown.length);
    for (let pixel = shown.length - 1; pixel >= 0; pixel--)
      this.#pixelRows[shown[pixel]! - block.rowStart] = pixel;
    this.#levels = Array.from({ length: coarsestLevel + 1 }, (_, level) => {
      const widthPx = cellsOfLevel(width, level);
      const heightPx = cellsOfLevel(shown.length, level);
      const indices = new Uint8Array(level === 0 ? 0 : widthPx * heightPx);
      return { widthPx, heightPx, indices, raised: new Uint32Array(width), isRaw: false };
    });
    const { raised } = this.#levels[0]!;
    for (let row = block.rowStart; row < block.rowEnd; row++) {
      const start = row * cells.columns;
      let count = 0;
      for (let column = block.columnStart; column < block.columnEnd; column++) {
        raised[count] = column << 8;
        count += highest[start + column] === 0 ? 0 : 1;
      }
      this.raise(row, raised.subarray(0, count));
    }
  }

  /** Takes raised cells as `TakeRaised` does. */
  raise(row: number, raised: Uint32Array): void {
    const { rowStart, columnStart } = this.block;
    const place = row - rowStart;
    const start = row * this.#cells.columns;
    const highest = this.#highest.subarray(start, start + this.#cells.columns);
    const counts = this.countsOf(row);
    for (const cell of raised) {
      counts[cell & 0xff]! -= 1;
      counts[highest[cell >>> 8]!]! += 1;
    }
    const first = this.#pixelRows[place]! >> 1;
    const last = (this.#pixelRows[place + 1]! - 1) >> 1;
    const now = highest.subarray(columnStart);
    const fromBlock = this.#levels[0]!.raised;
    for (let at = 0; at < raised.length; at++) fromBlock[at] = (raised[at]! >>> 8) - columnStart;
    for (let pixelRow = first; pixelRow <= last; pixelRow++)
      this.#raiseLevel(1, pixelRow, now, raised.length);
  }

  /** Raises the cells of a row of a level to those that rose in the level below. */
  #raiseLevel(level: number, row: number, now: Uint8Array, count: number): void {
    const { widthPx, indices, raised } = this.#levels[level]!;
    const below = this.#levels[level - 1]!.raised;
    const start = row * widthPx;
    let rose = 0;
    for (let place = 0; place < count; place++) {
      const column = below[place]!;
      const at = start + (column >> level);
      const before = indices[at]!;
      const value = now[column]!;
      // Written in any case, and kept if the cell rises: a condition costs more.
      indices[at] = before < value ? value : before;
      raised[rose] = column;
      rose += before < value ? 1 : 0;
    }
    if (rose > 0 && level < coarsestLevel) this.#raiseLevel(level + 1, row >> 1, now, rose);
  }

  /** Returns the number of cells of each class index in a row of the whole grid. */
  countsOf(row: number): Uint32Array {
    const start = (row - this.block.rowStart) * classIndices;
    return this.#counts.subarray(start, start + classIndices);
  }

  toPicture(classes: FrameClasses): Picture {
    const [grid, ...coarser] = this.#levels.map((level, index) => {
      const packed = index === 0 ? this.#packCells(level) : packLevel(level);
      level.isRaw = packed.kind === "raw";
      return packed;
    });
    const { widthPx, heightPx } = grid!;
    const echo = findEchoBlock(grid!, classes);
    const bounds = blockBounds(this.#cells, this.block);
    return { kind: "indexed", widthPx, heightPx, grid: grid!, coarser, echo, bounds };
  }

  #packCells({ widthPx, heightPx, isRaw }: Level): IndexGrid {
    const builder = new IndexGridBuilder(widthPx, heightPx, isRaw);
    const { rowStart, rowEnd, columnStart } = this.block;
    for (let row = rowStart; row < rowEnd; row++) {
      const start = row * this.#cells.columns + columnStart;
      const [first, end] = this.#pixelRows.subarray(row - rowStart);
      builder.addRow(this.#highest.subarray(start, start + widthPx));
      for (let pixel = first! + 1; pixel < end!; pixel++) builder.repeatRow();
    }
    return builder.finish();
  }
}

function packLevel({ widthPx, heightPx, indices, isRaw }: Level): IndexGrid {
  if (isRaw) return { kind: "raw", widthPx, heightPx, indices: indices.slice() };
  const builder = new IndexGridBuilder(widthPx, heightPx);
  for (let row = 0; row < heightPx; row++)
    builder.addRow(indices.subarray(row * widthPx, (row + 1) * widthPx));
  return builder.finish();
}
