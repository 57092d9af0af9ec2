// Frames as WebGL 2 textures: 8-bit unsigned integers for class indices, with the coarser levels as mipmaps, and RGBA
// for color pictures. Pictures are cut into tiles that the GPU accepts, and uploaded in slices of rows to keep
// animation frames short.
import { AppError } from "../../shared/app-error.ts";
import { levelsOf, type ColorFrame, type DecodedFrame, type IndexedFrame } from "../frames/decoded-frame.ts";
import type { FrameUpload } from "./frame-cache.ts";
import { copyBlock } from "../../shared/frames/index-grid.ts";
import type { GridBlock, IndexGrid } from "../../shared/frames/index-grid.ts";
import { cellsOfLevel, coarsestLevel } from "../frames/index-pyramid.ts";
import { findOccupied, type OccupiedBlocks } from "./screen-blocks.ts";

export interface TextureTile {
  readonly texture: WebGLTexture;
  /** The cells of the frame that the texture holds. */
  readonly block: GridBlock;
}

export interface FrameTexture {
  readonly kind: DecodedFrame["kind"];
  readonly widthPx: number;
  readonly heightPx: number;
  /** The number of levels of each tile; 1 for a picture that is drawn by nearest cell at every scale. */
  readonly levels: number;
  readonly tiles: readonly TextureTile[];
  /** Undefined if unknown: anything may be drawn anywhere. */
  readonly occupied: OccupiedBlocks | undefined;
}

export function releaseFrameTexture(gl: WebGL2RenderingContext, { tiles }: FrameTexture): void {
  for (const { texture } of tiles) gl.deleteTexture(texture);
}

/** Begins to upload a frame. `slice` is a scratch buffer that all uploads may share. */
export function beginFrameUpload(
  gl: WebGL2RenderingContext,
  frame: DecodedFrame,
  slice: Uint8Array,
): FrameUpload<FrameTexture> {
  const tiles: TextureTile[] = [];
  const work =
    frame.kind === "indexed" ? uploadIndices(gl, frame, slice, tiles) : uploadColors(gl, frame, tiles);
  const { kind, widthPx, heightPx } = frame;
  const levels = frame.kind === "indexed" ? levelsOf(frame).length : 1;
  const coarsest = frame.kind === "indexed" ? frame.coarser.at(-1) : undefined;
  const occupied = coarsest && findOccupied(coarsest);
  return {
    step(deadlineMs) {
      do {
        if (work.next().done) {
          checkError(gl);
          return { kind, widthPx, heightPx, levels, tiles, occupied };
        }
      } while (performance.now() < deadlineMs);
      return undefined;
    },
    cancel() {
      for (const { texture } of tiles) gl.deleteTexture(texture);
    },
  };
}

/**
 * Cuts a picture into blocks of nearly equal size, at most `maxTilePx` in either direction. They begin where cells of
 * all levels begin.
 */
export function toTileBlocks(widthPx: number, heightPx: number, maxTilePx: number): GridBlock[] {
  const columns = cutAxis(widthPx, maxTilePx);
  const rows = cutAxis(heightPx, maxTilePx);
  return rows.flatMap(([rowStart, rowEnd]) =>
    columns.map(([columnStart, columnEnd]) => ({ rowStart, rowEnd, columnStart, columnEnd })),
  );
}

function cutAxis(cells: number, mostCells: number): [start: number, end: number][] {
  const coarseCells = cellsOfLevel(cells, coarsestLevel);
  const parts = Math.ceil(coarseCells / Math.floor(mostCells / 2 ** coarsestLevel));
  const cutAt = (part: number): number =>
    Math.min(cells, Math.floor((part * coarseCells) / parts) * 2 ** coarsestLevel);
  return Array.from({ length: parts }, (_, part) => [cutAt(part), cutAt(part + 1)]);
}

/** Uploads one slice of rows per step. */
function* uploadIndices(
  gl: WebGL2RenderingContext,
  frame: IndexedFrame,
  slice: Uint8Array,
  tiles: TextureTile[],
): Generator<undefined, void> {
  const maxTilePx = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  const levels = levelsOf(frame);
  // A mipmap rounds sizes down and a level rounds them up: both agree for whole cells of the coarsest level.
  const alignment = 2 ** (levels.length - 1);
  for (const block of toTileBlocks(frame.widthPx, frame.heightPx, maxTilePx)) {
    const width = Math.ceil((block.columnEnd - block.columnStart) / alignment) * alignment;
    const height = Math.ceil((block.rowEnd - block.rowStart) / alignment) * alignment;
    const texture = createTexture(gl, { format: gl.R8UI, levels: levels.length, width, height });
    tiles.push({ texture, block });
    for (const [level, grid] of levels.entries())
      yield* uploadLevel(gl, { texture, block }, level, grid, slice);
  }
}

/** Uploads a tile's part of one level. */
function* uploadLevel(
  gl: WebGL2RenderingContext,
  { texture, block }: TextureTile,
  level: number,
  grid: IndexGrid,
  slice: Uint8Array,
): Generator<undefined, void> {
  const columnStart = cellsOfLevel(block.columnStart, level);
  const columnEnd = cellsOfLevel(block.columnEnd, level);
  const lastRow = cellsOfLevel(block.rowEnd, level);
  const firstRow = cellsOfLevel(block.rowStart, level);
  const width = columnEnd - columnStart;
  const rows = Math.max(1, Math.floor(slice.length / width));
  for (let rowStart = firstRow; rowStart < lastRow; rowStart += rows) {
    const rowEnd = Math.min(rowStart + rows, lastRow);
    const byteLength = copyBlock(grid, { rowStart, rowEnd, columnStart, columnEnd }, slice);
    bindForUpload(gl, texture);
    gl.texSubImage2D(
      gl.TEXTURE_2D,
      level,
      0,
      rowStart - firstRow,
      width,
      rowEnd - rowStart,
      gl.RED_INTEGER,
      gl.UNSIGNED_BYTE,
      slice.subarray(0, byteLength),
    );
    yield;
  }
}

/** Uploads one tile per step. */
function* uploadColors(
  gl: WebGL2RenderingContext,
  frame: ColorFrame,
  tiles: TextureTile[],
): Generator<undefined, void> {
  for (const { bitmap, columnStart, rowStart } of frame.tiles) {
    const { width, height } = bitmap;
    const texture = createTexture(gl, { format: gl.RGBA8, levels: 1, width, height });
    const block = {
      rowStart,
      rowEnd: rowStart + bitmap.height,
      columnStart,
      columnEnd: columnStart + bitmap.width,
    };
    tiles.push({ texture, block });
    bindForUpload(gl, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    yield;
  }
}

interface TextureShape {
  readonly format: GLenum;
  readonly levels: number;
  readonly width: number;
  readonly height: number;
}

function createTexture(
  gl: WebGL2RenderingContext,
  { format, levels, width, height }: TextureShape,
): WebGLTexture {
  // Clears errors that others have left.
  while (gl.getError() !== gl.NO_ERROR && !gl.isContextLost());
  const texture = gl.createTexture();
  bindForUpload(gl, texture);
  gl.texStorage2D(gl.TEXTURE_2D, levels, format, width, height);
  const minFilter = levels > 1 ? gl.NEAREST_MIPMAP_NEAREST : gl.NEAREST;
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, minFilter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  if (gl.getError() === gl.OUT_OF_MEMORY) {
    gl.deleteTexture(texture);
    throw new AppError("storage-failed", "The graphics memory is full.");
  }
  return texture;
}

/** Sets all that an upload depends on: MapLibre changes the context's state, and restores its own at each repaint. */
function bindForUpload(gl: WebGL2RenderingContext, texture: WebGLTexture): void {
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
}

function checkError(gl: WebGL2RenderingContext): void {
  const error = gl.getError();
  if (error === gl.NO_ERROR || error === gl.CONTEXT_LOST_WEBGL) return;
  throw new AppError("storage-failed", `The graphics driver refused the frame (${error}).`);
}
