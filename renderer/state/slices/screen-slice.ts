// How does the person like the screen itself, and what was open when they left?
import type { StateCreator } from "zustand";

export type Flyout = "sources" | "keys" | "add-events" | "event-actions" | "packs" | "briefings";

export interface ScreenSlice {
  readonly leftPanelOpen: boolean;
  readonly hailUnits: "in" | "mm";
  /** Whether single letters and signs are shortcuts. */
  readonly characterKeys: boolean;
  /** At most one small panel is open over the screen's edge; it never blocks the rest. */
  readonly flyout: Flyout | undefined;
  /** The event of the last visit, or of this one. */
  readonly savedEventId: string | undefined;
  readonly setLeftPanelOpen: (open: boolean) => void;
  readonly setHailUnits: (units: "in" | "mm") => void;
  readonly setCharacterKeys: (on: boolean) => void;
  readonly toggleFlyout: (flyout: Flyout) => void;
  readonly closeFlyout: () => void;
}

export const createScreenSlice: StateCreator<ScreenSlice, [], [], ScreenSlice> = (set) => ({
  leftPanelOpen: true,
  hailUnits: "in",
  characterKeys: true,
  flyout: undefined,
  savedEventId: undefined,

  setLeftPanelOpen: (leftPanelOpen) => {
    set({ leftPanelOpen });
  },

  setHailUnits: (hailUnits) => {
    set({ hailUnits });
  },

  setCharacterKeys: (characterKeys) => {
    set({ characterKeys });
  },

  toggleFlyout: (flyout) => {
    set((state) => ({ flyout: state.flyout === flyout ? undefined : flyout }));
  },

  closeFlyout: () => {
    set({ flyout: undefined });
  },
});
