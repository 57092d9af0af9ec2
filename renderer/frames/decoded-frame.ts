// A decoded frame as the map holds it: palette indices with their meaning, or colors if from another service.
import type { Bounds, FrameClasses } from "../../shared/contract/index.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { gridBuffers, gridByteLength } from "../../shared/frames/index-grid.ts";
import type { ScreenPlace } from "./screen/screen-geometry.ts";
import type { GridBlock, IndexGrid } from "../../shared/frames/index-grid.ts";

/** An indexed picture. Rows are equal steps of Web Mercator y between the edges of its layer's bounds. */
export interface IndexedFrame {
  readonly kind: "indexed";
  readonly widthPx: number;
  readonly heightPx: number;
  /** With it, the cells of `grid` are not those of the picture but the pixels of this screen, from the northwest. */
  readonly place?: ScreenPlace;
  readonly grid: IndexGrid;
  /**
   * The highest class of each block of 2, 4, 8 and 16 cells; empty in a frame of depth "cells", and without a class
   * table, which orders the indices.
   */
  readonly coarser: readonly IndexGrid[];
  /** Undefined if nothing is drawn, and with a place. */
  readonly echo: GridBlock | undefined;
  /** The palette of the PNG: 256 entries of red, green, blue, alpha, not premultiplied. */
  readonly palette: Uint8Array<ArrayBuffer>;
  /** Undefined in a picture from another service. */
  readonly classes: FrameClasses | undefined;
  readonly coverage: CoverageGrid | undefined;
  /** The unit of the changes that the indices mark, in the picture of a difference. */
  readonly changeUnit?: string;
  /** Outer edges of a derived frame, which are known once it is made; those of others are in their `FrameRef`. */
  readonly bounds?: Bounds;
}

/** A block of a color picture, premultiplied. */
export interface ColorTile {
  readonly columnStart: number;
  readonly rowStart: number;
  readonly bitmap: ImageBitmap;
}

/** A picture without indices. Its tiles are closed once they are on the GPU. */
export interface ColorFrame {
  readonly kind: "color";
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tiles: readonly ColorTile[];
}

/** "levels" is for the GPU, which draws small maps from coarser levels; without them a frame is there sooner. */
export type FrameDepth = "cells" | "levels";

export type DecodedFrame = IndexedFrame | ColorFrame;

/** Returns the frame's grids, each of half the cells across and down of the one before. */
export function levelsOf({ grid, coarser }: IndexedFrame): IndexGrid[] {
  return [grid, ...coarser];
}

/** Returns the bytes of memory that a decoded frame holds, without the GPU's. */
export function frameByteLength(frame: DecodedFrame): number {
  if (frame.kind === "color") {
    return frame.tiles.reduce((sum, { bitmap }) => sum + bitmap.width * bitmap.height * 4, 0);
  }
  const gridBytes = levelsOf(frame).reduce((sum, grid) => sum + gridByteLength(grid), 0);
  return gridBytes + frame.palette.byteLength + (frame.coverage?.bits.byteLength ?? 0);
}

/** Returns the bytes of GPU memory that a frame needs. */
export function frameGpuByteLength(frame: DecodedFrame): number {
  if (frame.kind === "color") return frame.widthPx * frame.heightPx * 4;
  return levelsOf(frame).reduce((sum, grid) => sum + grid.widthPx * grid.heightPx, 0);
}

/** Returns what to transfer when a frame is sent to another thread. */
export function frameTransferables(frame: DecodedFrame): Transferable[] {
  if (frame.kind === "color") return frame.tiles.map(({ bitmap }) => bitmap);
  const buffers = [...levelsOf(frame).flatMap(gridBuffers), frame.palette.buffer];
  if (frame.coverage) buffers.push(frame.coverage.bits.buffer);
  return buffers;
}

/** Releases the memory of a frame that is no longer used. */
export function releaseFrame(frame: DecodedFrame): void {
  if (frame.kind === "color") for (const { bitmap } of frame.tiles) bitmap.close();
}
