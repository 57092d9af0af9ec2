// The interface of what draws the sheet: the map's picture of a revision, with the words that say what it is, on one
// canvas. `renderer/panels/export/picture/picture-studio.ts` opens one; loops take their pixels from it.
import type { SheetIncludes } from "../state/slices/export-slice.ts";

/** Size in pixels of the file. */
export interface SheetSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A revision of the event on screen, or a span of time without one: the ground with a card that names the span. */
export type SheetContent =
  | { readonly sequence: number }
  | { readonly gap: { readonly fromMs: number; readonly toMs: number } };

export interface SheetOptions extends SheetSize {
  readonly includes: SheetIncludes;
}

/** One call at a time. */
export interface SheetDrawer extends SheetSize {
  /**
   * Draws a sheet that is complete: all visible layers of the revision, the ground and the words. Returns the same
   * canvas each time; read it before the next call. The frames of the revisions `ahead` are loaded meanwhile.
   * @throws AppError with a sentence for a person if it cannot be complete
   */
  draw(content: SheetContent, signal?: AbortSignal, ahead?: readonly number[]): Promise<HTMLCanvasElement>;
  close(): void;
}
