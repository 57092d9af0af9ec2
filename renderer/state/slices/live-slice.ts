// Does this host follow a live source, and which one did the person choose last?
import type { StateCreator } from "zustand";
import type { LiveState } from "../../../shared/contract/live.ts";

export interface LiveSlice {
  /** Undefined until it is read; a page that may not act never reads it. */
  readonly live: LiveState | undefined;
  readonly receiveLive: (live: LiveState) => void;
}

export const createLiveSlice: StateCreator<LiveSlice, [], [], LiveSlice> = (set) => ({
  live: undefined,

  receiveLive: (live) => {
    set({ live });
  },
});
