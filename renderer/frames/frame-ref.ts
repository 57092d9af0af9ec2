// Names the frames that the viewer draws: those of the service, and those that it makes of them.
import type { Bounds } from "../../shared/contract/index.ts";
import { unionBounds } from "../../shared/geo/bounds.ts";

/** One frame of one layer. Frames are immutable, and `imageUrl` also tells apart their bounds: it is the cache key. */
export interface FrameRef {
  readonly imageUrl: string;
  /** Outer edges of the picture, whose rows are equal steps of Web Mercator y; a derived frame may be smaller. */
  readonly bounds: Bounds;
  /** Undefined for a frame of the service. */
  readonly derived?: DerivedFrame;
}

/** Recipe of a frame that is made of frames of the service, cell by cell. */
export type DerivedFrame =
  /** The changes from one frame to another: `shared/analysis/difference-picture.ts` has the meaning of its indices. */
  | { readonly kind: "difference"; readonly before: FrameRef; readonly after: FrameRef }
  /** The highest class of each cell over frames in ascending time of observation; at least one. */
  | { readonly kind: "swath"; readonly frames: readonly FrameRef[] };

export function toDifferenceRef(before: FrameRef, after: FrameRef): FrameRef {
  return {
    imageUrl: `difference:${before.imageUrl} ${after.imageUrl}`,
    bounds: unionBounds(before.bounds, after.bounds),
    derived: { kind: "difference", before, after },
  };
}

/** Requires at least one frame. */
export function toSwathRef(frames: readonly FrameRef[]): FrameRef {
  const [first, ...others] = frames.map(({ bounds }) => bounds);
  return {
    imageUrl: `swath:${frames.map(({ imageUrl }) => imageUrl).join(" ")}`,
    bounds: unionBounds(first!, ...others),
    derived: { kind: "swath", frames },
  };
}
