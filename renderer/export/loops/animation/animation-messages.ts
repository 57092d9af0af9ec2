// The messages between the page and the worker that writes GIF and WebP.
import type { AnimationFormat } from "../loop-formats.ts";

/** The first message: begins a file. */
export interface AnimationStart {
  readonly format: AnimationFormat;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Comment of a GIF, XMP of a WebP. */
  readonly about: string;
  /** Colors that a GIF keeps exactly: 0xAABBGGRR. */
  readonly exactColors: readonly number[];
}

/** Each further message: a frame, or the end. */
export type AnimationRequest =
  | { readonly start: AnimationStart }
  | { readonly pixels: ArrayBuffer; readonly durationMs: number }
  | { readonly end: true };

/** Bytes to write at a position of the file. */
export interface FilePart {
  readonly position: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The answer to each message. */
export type AnimationReply = { readonly parts: readonly FilePart[] } | { readonly problem: string };
