// The state that panes share: how many there are, which one leads, and by what they are locked. Each pane's own
// state is in its own store.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { EventReading } from "../reading/event-reading.ts";
import type { ViewerStore } from "../store.ts";
import type { Lock, Locked } from "./lock.ts";
import type { Onset, OnsetRule } from "./onset.ts";

export const paneLetters = ["A", "B", "C", "D"] as const;
export type PaneLetter = (typeof paneLetters)[number];

export const paneCounts = [1, 2, 4] as const;
export type PaneCount = (typeof paneCounts)[number];

/** One event with everything that shows it. Pane A is the viewer itself. */
export interface Pane {
  readonly letter: PaneLetter;
  readonly store: ViewerStore;
  readonly followPublished: EventReading["followPublished"];
  readonly retry: () => void;
}

export interface PanesState {
  readonly count: PaneCount;
  readonly panes: readonly Pane[];
  /** The pane that keys and buttons move; the others follow it. */
  readonly active: PaneLetter;
  readonly lock: Lock;
  readonly onsetRule: OnsetRule;
  /** By pane; undefined until it is looked for. */
  readonly onsets: Readonly<Partial<Record<PaneLetter, Onset | undefined>>>;
  /** Result of the lock for each pane but the active one; absent without a lock. */
  readonly locked: Readonly<Partial<Record<PaneLetter, Locked>>>;
  /** True on a screen with room for two panes only; of four, `pair` says which two are shown. */
  readonly isNarrow: boolean;
  readonly pair: 0 | 1;
  readonly crosshairInAll: boolean;
  readonly sameZoom: boolean;
  readonly samePlace: boolean;
  /** True if the layers of the active pane, and what is read of them, are open beside the panes. */
  readonly layersOpen: boolean;
}

export type PanesStore = StoreApi<PanesState>;

export function createPanesStore(paneA: Pane): PanesStore {
  return createStore<PanesState>()(() => ({
    count: 1,
    panes: [paneA],
    active: "A",
    lock: "observed",
    onsetRule: "either",
    onsets: {},
    locked: {},
    isNarrow: false,
    pair: 0,
    crosshairInAll: true,
    sameZoom: true,
    samePlace: true,
    layersOpen: false,
  }));
}

/** Returns the panes on screen, in order. */
export function selectVisiblePanes({ panes, isNarrow, pair }: PanesState): readonly Pane[] {
  return isNarrow && panes.length > 2 ? panes.slice(2 * pair, 2 * pair + 2) : panes;
}

export function selectActivePane({ panes, active }: PanesState): Pane {
  return panes.find(({ letter }) => letter === active) ?? panes[0]!;
}

/** Returns the window of a pane's onset; undefined until it is found. */
export function onsetWindowOf(
  { onsets }: Pick<PanesState, "onsets">,
  letter: PaneLetter,
): number | undefined {
  const onset = onsets[letter];
  return onset?.kind === "found" ? onset.window : undefined;
}
