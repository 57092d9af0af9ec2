// A frame as the map holds it after decoding: palette indices with what they mean, or, from another service, colours.
import type { FrameClasses } from "../../shared/contract/index.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { gridBuffers, gridByteLength } from "./index-grid.ts";
import type { IndexGrid } from "./index-grid.ts";

/** An indexed picture. Rows are equal steps of Web Mercator y between the edges its layer's bounds give. */
export interface IndexedFrame {
  readonly kind: "indexed";
  readonly widthPx: number;
  readonly heightPx: number;
  readonly grid: IndexGrid;
  /** 256 entries of red, green, blue, alpha, not premultiplied: the palette that the PNG carries. */
  readonly palette: Uint8Array<ArrayBuffer>;
  /** Undefined in a picture that is not Echotop's. */
  readonly classes: FrameClasses | undefined;
  readonly coverage: CoverageGrid | undefined;
}

/** A block of a picture in colours, premultiplied. */
export interface ColourTile {
  readonly columnStart: number;
  readonly rowStart: number;
  readonly bitmap: ImageBitmap;
}

/** A picture without indices. Its tiles are closed once they are on the GPU. */
export interface ColourFrame {
  readonly kind: "colour";
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tiles: readonly ColourTile[];
}

export type DecodedFrame = IndexedFrame | ColourFrame;

/** Bytes of memory that a decoded frame holds, GPU apart. */
export function frameByteLength(frame: DecodedFrame): number {
  if (frame.kind === "colour") {
    return frame.tiles.reduce((sum, { bitmap }) => sum + bitmap.width * bitmap.height * 4, 0);
  }
  return gridByteLength(frame.grid) + frame.palette.byteLength + (frame.coverage?.bits.byteLength ?? 0);
}

/** Bytes of GPU memory that a frame takes. */
export function frameGpuByteLength(frame: DecodedFrame): number {
  return frame.widthPx * frame.heightPx * (frame.kind === "indexed" ? 1 : 4);
}

/** What to hand over when a frame is sent to another thread. */
export function frameTransferables(frame: DecodedFrame): Transferable[] {
  if (frame.kind === "colour") return frame.tiles.map(({ bitmap }) => bitmap);
  const buffers = [...gridBuffers(frame.grid), frame.palette.buffer];
  if (frame.coverage) buffers.push(frame.coverage.bits.buffer);
  return buffers;
}

/** Gives back the memory of a frame that nobody will use any more. */
export function releaseFrame(frame: DecodedFrame): void {
  if (frame.kind === "colour") for (const { bitmap } of frame.tiles) bitmap.close();
}
