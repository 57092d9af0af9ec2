// Small blocks of cells around places, filled while the rows of a picture go by: the rest of the picture is never held.
import type { FrameClasses } from "../contract/frame-metadata.ts";
import type { Coordinate } from "../contract/primitives.ts";
import type { CoverageGrid } from "../frames/coverage-grid.ts";
import { intersectBlocks, isEmptyBlock, type CellBlock } from "../geo/grid.ts";
import type { CellFrame, CellGround } from "./cell-frame.ts";
import { blockNear } from "./nearby-reading.ts";

interface Crop {
  readonly block: CellBlock;
  /** One byte per cell of the block. */
  readonly indices: Uint8Array<ArrayBuffer>;
}

export interface FrameFacts {
  readonly classes: FrameClasses;
  readonly coverage: CoverageGrid;
}

export class PlaceCrops {
  /** The pixel rows that hold the places, ascending; empty if none lies in the picture. */
  readonly rows: Int32Array;
  readonly #ground: CellGround;
  readonly #crops: readonly Crop[];
  /** The row of cells that each pixel row is the first to show, until the last one needed. */
  readonly #cellRows: ReadonlyMap<number, number>;

  constructor(ground: CellGround, places: readonly Coordinate[]) {
    this.#ground = ground;
    const { cells, block, pixelRows } = ground;
    this.#crops = places.map((place) => {
      const near = cells ? intersectBlocks(block, blockNear(cells, place)) : block;
      const width = near.columnEnd - near.columnStart;
      return { block: near, indices: new Uint8Array(width * (near.rowEnd - near.rowStart)) };
    });
    const cellRows = new Map<number, number>();
    for (const { block: near } of this.#crops) {
      if (isEmptyBlock(near)) continue;
      for (let row = near.rowStart; row < near.rowEnd; row++) {
        cellRows.set(pixelRows[row - block.rowStart]!, row);
      }
    }
    this.#cellRows = cellRows;
    this.rows = Int32Array.from(cellRows.keys()).sort();
  }

  /** Takes a pixel row, counted from the north; its indices are copied. */
  addRow(pixelRow: number, row: Uint8Array): void {
    const cellRow = this.#cellRows.get(pixelRow);
    if (cellRow === undefined) return;
    const { columnStart } = this.#ground.block;
    for (const { block, indices } of this.#crops) {
      if (isEmptyBlock(block) || cellRow < block.rowStart || cellRow >= block.rowEnd) continue;
      const part = row.subarray(block.columnStart - columnStart, block.columnEnd - columnStart);
      indices.set(part, (cellRow - block.rowStart) * part.length);
    }
  }

  /** Returns one frame for each place, which holds only the cells near it. */
  toFrames({ classes, coverage }: FrameFacts): CellFrame[] {
    const { cells } = this.#ground;
    return this.#crops.map(({ block, indices }) => {
      const heightPx = block.rowEnd - block.rowStart;
      const grid = { kind: "raw", widthPx: block.columnEnd - block.columnStart, heightPx, indices } as const;
      const pixelRows = Int32Array.from({ length: heightPx }, (_, row) => row);
      return { classes, coverage, grid, cells, block, pixelRows };
    });
  }
}
