// The watch rules of the person, and the storms that they were told of.
import type { StateCreator } from "zustand";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { ClassRange } from "../../../shared/analysis/cell-frame.ts";
import type { EventNature } from "../../../shared/revisions/event-origin.ts";
import type { WatchRule } from "./watch-rule.ts";

/** A storm that a rule found. */
export interface StormTold {
  readonly ruleId: string;
  readonly layer: ProductId;
  readonly range: ClassRange;
  /** `9 mi northeast of Norman`; undefined if no place is near. */
  readonly place: string | undefined;
  readonly observedMs: number;
  /** Undefined if it is not known when the revision was published. */
  readonly publishedMs: number | undefined;
  readonly nature: EventNature;
}

/** The words of "Read the storm". */
export interface StormReading {
  readonly words: string;
  /** Another one for each press, so that the same words are said again. */
  readonly count: number;
}

const mostTold = 20;

export interface WatchSlice {
  readonly watchRules: readonly WatchRule[];
  /** Newest first; of this visit. */
  readonly stormsTold: readonly StormTold[];
  readonly stormReading: StormReading | undefined;
  readonly setWatchRules: (rules: readonly WatchRule[]) => void;
  readonly tellStorm: (storm: StormTold) => void;
  readonly setStormReading: (words: string | undefined) => void;
}

export const createWatchSlice: StateCreator<WatchSlice, [], [], WatchSlice> = (set) => ({
  watchRules: [],
  stormsTold: [],
  stormReading: undefined,

  setWatchRules: (watchRules) => {
    set({ watchRules });
  },

  tellStorm: (storm) => {
    set(({ stormsTold }) => ({ stormsTold: [storm, ...stormsTold].slice(0, mostTold) }));
  },

  setStormReading: (words) => {
    set(({ stormReading }) => ({
      stormReading: words === undefined ? undefined : { words, count: (stormReading?.count ?? 0) + 1 },
    }));
  },
});
