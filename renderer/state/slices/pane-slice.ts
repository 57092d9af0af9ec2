// How does this viewer stand among the panes that are compared? Written by the pane session only.
import type { StateCreator } from "zustand";
import type { CacheUse } from "../../map/scene.ts";
import type { PictureSlice } from "./picture-slice.ts";

export interface PaneSlice {
  /** Share of the memory for frames that this pane's map may use: 1 alone. */
  readonly frameShare: number;
  /** The sequences that the lock shows next, most urgent first; undefined if this pane is alone or leads. */
  readonly lockedSoon: readonly number[] | undefined;
  /** Frames of the other panes, so that the meter shows the sum; undefined if this pane is alone. */
  readonly otherCaches: CacheUse | undefined;
}

export const createPaneSlice: StateCreator<PaneSlice, [], [], PaneSlice> = () => ({
  frameShare: 1,
  lockedSoon: undefined,
  otherCaches: undefined,
});

/** Returns the frames of this pane and of all others. */
export function selectAllCaches({ cache, otherCaches }: PaneSlice & PictureSlice): CacheUse | undefined {
  if (!cache || !otherCaches) return cache;
  return {
    usedBytes: cache.usedBytes + otherCaches.usedBytes,
    budgetBytes: cache.budgetBytes + otherCaches.budgetBytes,
    frames: cache.frames + otherCaches.frames,
  };
}
