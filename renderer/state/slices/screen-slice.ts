// How does the person want the screen, and which event was open at the last visit?
import type { StateCreator } from "zustand";
import type { FrameLimitMib } from "../../platform/viewer-limits.ts";
import type { PlayOrder } from "../timeline/play-order.ts";

export type Flyout =
  | "sources"
  | "live"
  | "keys"
  | "settings"
  | "watch"
  | "update"
  | "add-events"
  | "add-overlay"
  | "event-actions"
  | "share"
  | "map-options"
  | "export";

/** The parts of the Share panel for every forecaster. */
export const shareParts = ["briefing", "packs", "get", "changes"] as const;
/** The parts of the Share panel for administrators of the servers. */
export const administrationParts = ["hosting", "gateway", "redirects", "explain"] as const;
export type SharePart = (typeof shareParts)[number] | (typeof administrationParts)[number];

export interface ScreenSlice {
  readonly leftPanelOpen: boolean;
  /** Undefined until the person folds or unfolds the timeline: until then it is folded on a low screen. */
  readonly timelineFolded: boolean | undefined;
  /** Order in which the timeline is drawn; playback has its own. */
  readonly timelineOrder: PlayOrder;
  /** Order that comes back when the story closes; undefined without one, or after the person chose an order. */
  readonly orderBeforeStory: PlayOrder | undefined;
  /** First and last observation window that the timeline drew last in observed order. */
  readonly observedPart: { readonly first: number; readonly last: number };
  readonly hailUnits: "in" | "mm";
  /** Limit of the memory for frames that the person chose, in MiB; undefined for what suits the machine. */
  readonly frameLimitMib: FrameLimitMib | undefined;
  /** True if single characters are shortcuts. */
  readonly characterKeys: boolean;
  /** The flyout that is open, if any; it never blocks the rest of the screen. */
  readonly flyout: Flyout | undefined;
  /** The open part of the Share panel; kept while the panel is closed. */
  readonly sharePart: SharePart;
  /** The event of this visit, or else of the last one. */
  readonly savedEventId: string | undefined;
  readonly setLeftPanelOpen: (open: boolean) => void;
  readonly setTimelineFolded: (folded: boolean) => void;
  readonly setTimelineOrder: (order: PlayOrder) => void;
  readonly setObservedPart: (part: ScreenSlice["observedPart"]) => void;
  readonly setHailUnits: (units: "in" | "mm") => void;
  readonly setFrameLimitMib: (limit: FrameLimitMib | undefined) => void;
  readonly setCharacterKeys: (on: boolean) => void;
  readonly toggleFlyout: (flyout: Flyout) => void;
  readonly closeFlyout: () => void;
  readonly setSharePart: (part: SharePart) => void;
}

export const createScreenSlice: StateCreator<ScreenSlice, [], [], ScreenSlice> = (set) => ({
  leftPanelOpen: true,
  timelineFolded: undefined,
  timelineOrder: "published",
  orderBeforeStory: undefined,
  observedPart: { first: 0, last: -1 },
  hailUnits: "in",
  frameLimitMib: undefined,
  characterKeys: true,
  flyout: undefined,
  sharePart: "briefing",
  savedEventId: undefined,

  setLeftPanelOpen: (leftPanelOpen) => {
    set({ leftPanelOpen });
  },

  setTimelineFolded: (timelineFolded) => {
    set({ timelineFolded });
  },

  setTimelineOrder: (timelineOrder) => {
    set({ timelineOrder, orderBeforeStory: undefined });
  },

  setObservedPart: (observedPart) => {
    set({ observedPart });
  },

  setHailUnits: (hailUnits) => {
    set({ hailUnits });
  },

  setFrameLimitMib: (frameLimitMib) => {
    set({ frameLimitMib });
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

  setSharePart: (sharePart) => {
    set({ sharePart });
  },
});
