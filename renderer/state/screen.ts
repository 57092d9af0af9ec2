// How does the person like the screen itself, and what was open when they left?
import type { StateCreator } from "zustand";
import type { ViewerState } from "./store.ts";

export type Flyout = "sources" | "keys";

export interface ScreenSlice {
  readonly leftPanelOpen: boolean;
  readonly hailUnits: "in" | "mm";
  /** At most one small panel is open over the screen's edge; it never blocks the rest. */
  readonly flyout: Flyout | undefined;
  /** The event of the last visit, or of this one. */
  readonly savedEventId: string | undefined;
  readonly toggleLeftPanel: () => void;
  readonly setHailUnits: (units: "in" | "mm") => void;
  readonly toggleFlyout: (flyout: Flyout) => void;
  readonly closeFlyout: () => void;
}

export const createScreenSlice: StateCreator<ViewerState, [], [], ScreenSlice> = (set) => ({
  leftPanelOpen: true,
  hailUnits: "in",
  flyout: undefined,
  savedEventId: undefined,

  toggleLeftPanel: () => {
    set(({ leftPanelOpen }) => ({ leftPanelOpen: !leftPanelOpen }));
  },

  setHailUnits: (hailUnits) => {
    set({ hailUnits });
  },

  toggleFlyout: (flyout) => {
    set((state) => ({ flyout: state.flyout === flyout ? undefined : flyout }));
  },

  closeFlyout: () => {
    set({ flyout: undefined });
  },
});
