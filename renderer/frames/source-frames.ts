// The frames that differences and swaths are made of: fetched and decoded once, and kept as cells within a byte budget.
import { AppError } from "../../shared/app-error.ts";
import type { CellFrame } from "../../shared/analysis/cell-frame.ts";
import { gridByteLength } from "../../shared/frames/index-grid.ts";
import { decodeCells } from "./source-cells.ts";
import { fetchFrame } from "./fetch-frame.ts";
import type { FrameRef } from "./frame-ref.ts";

export class SourceFrames {
  readonly #budgetBytes: number;
  /** By URL, the least recently used first. */
  readonly #held = new Map<string, CellFrame>();
  readonly #loading = new Map<string, Promise<CellFrame>>();
  #heldBytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** @throws AppError as `fetchFrame` does, `stored-data-invalid` for a frame without cells; PngError */
  load(ref: FrameRef): Promise<CellFrame> {
    const { imageUrl } = ref;
    const held = this.#held.get(imageUrl);
    if (held) {
      this.#held.delete(imageUrl);
      this.#held.set(imageUrl, held);
      return Promise.resolve(held);
    }
    const known = this.#loading.get(imageUrl);
    if (known) return known;
    const loading = this.#read(ref).finally(() => this.#loading.delete(imageUrl));
    this.#loading.set(imageUrl, loading);
    return loading;
  }

  async #read({ imageUrl, bounds }: FrameRef): Promise<CellFrame> {
    const png = await fetchFrame(imageUrl, new AbortController().signal);
    const cells = await decodeCells(png, bounds);
    if (!cells) {
      throw new AppError("stored-data-invalid", "The frame does not say its classes and its coverage.");
    }
    this.#hold(imageUrl, cells);
    return cells;
  }

  #hold(imageUrl: string, cells: CellFrame): void {
    this.#held.set(imageUrl, cells);
    this.#heldBytes += byteLengthOf(cells);
    for (const [oldest, frame] of this.#held) {
      if (this.#heldBytes <= this.#budgetBytes || oldest === imageUrl) return;
      this.#held.delete(oldest);
      this.#heldBytes -= byteLengthOf(frame);
    }
  }
}

function byteLengthOf({ grid, coverage, pixelRows }: CellFrame): number {
  return gridByteLength(grid) + coverage.bits.byteLength + pixelRows.byteLength;
}
