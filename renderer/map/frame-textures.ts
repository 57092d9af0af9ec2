// Frames as WebGL 2 textures: 8-bit unsigned integers for class indices, RGBA for color pictures. Pictures are cut
// into tiles that the GPU accepts, and uploaded in slices of rows to keep animation frames short.
import { AppError } from "../../shared/app-error.ts";
import type { ColorFrame, DecodedFrame, IndexedFrame } from "./decoded-frame.ts";
import type { FrameUpload } from "./frame-cache.ts";
import { copyBlock } from "./index-grid.ts";
import type { GridBlock } from "./index-grid.ts";

export interface TextureTile {
  readonly texture: WebGLTexture;
  /** The cells of the frame that the texture holds. */
  readonly block: GridBlock;
}

export interface FrameTexture {
  readonly kind: DecodedFrame["kind"];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tiles: readonly TextureTile[];
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
  return {
    step(deadlineMs) {
      do {
        if (work.next().done) {
          checkError(gl);
          return { kind, widthPx, heightPx, tiles };
        }
      } while (performance.now() < deadlineMs);
      return undefined;
    },
    cancel() {
      for (const { texture } of tiles) gl.deleteTexture(texture);
    },
  };
}

/** Cuts a picture into blocks of nearly equal size, at most `maxTilePx` in either direction. */
export function toTileBlocks(widthPx: number, heightPx: number, maxTilePx: number): GridBlock[] {
  const across = Math.ceil(widthPx / maxTilePx);
  const down = Math.ceil(heightPx / maxTilePx);
  const blocks: GridBlock[] = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      blocks.push({
        rowStart: Math.floor((row * heightPx) / down),
        rowEnd: Math.floor(((row + 1) * heightPx) / down),
        columnStart: Math.floor((column * widthPx) / across),
        columnEnd: Math.floor(((column + 1) * widthPx) / across),
      });
    }
  }
  return blocks;
}

/** Uploads one slice of rows per step. */
function* uploadIndices(
  gl: WebGL2RenderingContext,
  { grid }: IndexedFrame,
  slice: Uint8Array,
  tiles: TextureTile[],
): Generator<undefined, void> {
  const maxTilePx = gl.getParameter(gl.MAX_TEXTURE_SIZE) as number;
  for (const block of toTileBlocks(grid.widthPx, grid.heightPx, maxTilePx)) {
    const width = block.columnEnd - block.columnStart;
    const height = block.rowEnd - block.rowStart;
    const texture = createTexture(gl, gl.R8UI, width, height);
    tiles.push({ texture, block });
    const rows = Math.max(1, Math.floor(slice.length / width));
    for (let rowStart = block.rowStart; rowStart < block.rowEnd; rowStart += rows) {
      const rowEnd = Math.min(rowStart + rows, block.rowEnd);
      const byteLength = copyBlock(grid, { ...block, rowStart, rowEnd }, slice);
      bindForUpload(gl, texture);
      gl.texSubImage2D(
        gl.TEXTURE_2D,
        0,
        0,
        rowStart - block.rowStart,
        width,
        rowEnd - rowStart,
        gl.RED_INTEGER,
        gl.UNSIGNED_BYTE,
        slice.subarray(0, byteLength),
      );
      yield;
    }
  }
}

/** Uploads one tile per step. */
function* uploadColors(
  gl: WebGL2RenderingContext,
  frame: ColorFrame,
  tiles: TextureTile[],
): Generator<undefined, void> {
  for (const { bitmap, columnStart, rowStart } of frame.tiles) {
    const texture = createTexture(gl, gl.RGBA8, bitmap.width, bitmap.height);
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

function createTexture(
  gl: WebGL2RenderingContext,
  format: GLenum,
  width: number,
  height: number,
): WebGLTexture {
  // Clears errors that others have left.
  while (gl.getError() !== gl.NO_ERROR && !gl.isContextLost());
  const texture = gl.createTexture();
  bindForUpload(gl, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
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
