// A frame as one screen shows it: the class of each pixel, found while the picture is inflated. For pictures, each of
// which shows another frame in the same place: no grid of cells is built, sent and read again.
import type { Bounds } from "../../../shared/contract/index.ts";
import { visitPictureRuns } from "../../../shared/frames/picture-runs.ts";
import type { IndexedFrameParts } from "../../../shared/frames/read-frame.ts";
import type { IndexedFrame } from "../decoded-frame.ts";
import { ClassPixels } from "./class-pixels.ts";
import { findCellView, type ScreenPlace } from "./screen-geometry.ts";

/** A picture with these outer edges, on a screen. */
export interface ScreenView extends ScreenPlace {
  readonly bounds: Bounds;
}

/** Returns undefined for a picture that a general decoder must read. */
export function readScreenFrame(parts: IndexedFrameParts, view: ScreenView): IndexedFrame | undefined {
  const { header, palette, classes, coverage } = parts;
  const { widthPx, heightPx } = header;
  const { bounds, transform, screen } = view;
  const indices = new Uint8Array(screen.widthPx * screen.heightPx);
  const placing = {
    view: findCellView({ bounds, widthPx, heightPx }, transform, screen),
    screen,
    isOrdered: classes !== undefined,
  };
  const found = new ClassPixels(header, placing, indices);
  const isWhole = visitPictureRuns(parts, (row, ends, values, count) => {
    found.raiseByRuns(row, ends, values, 0, count);
  });
  if (!isWhole) return undefined;
  const grid = { kind: "raw", ...screen, indices } as const;
  const place = { transform, screen };
  const echo = undefined;
  return { kind: "indexed", widthPx, heightPx, place, grid, coarser: [], echo, palette, classes, coverage };
}
