// Does the person look at what changed, between which two revisions, and how? Belongs to the chosen event, and is not
// kept over a restart.
import type { StateCreator } from "zustand";
import type { ProductId } from "../../../shared/contract/index.ts";
import type { Difference } from "../../../shared/analysis/difference.ts";
import { selectWantedSequence } from "../timeline/playhead.ts";
import type { PlayheadSlice } from "./playhead-slice.ts";
import type { PlayheadView } from "../timeline/playhead.ts";

export const comparedSides = ["before", "swipe", "after"] as const;
export type ComparedSide = (typeof comparedSides)[number];

/** Two sequences; `before` is the lower one. */
export interface SequencePair {
  readonly before: number;
  readonly after: number;
}

/** The cells that changed, in the map's area and in all; `key` names the question. */
export type MeasuredChange = { readonly key: string } & (
  | { readonly status: "measured"; readonly inView: Difference; readonly inAll: Difference }
  | { readonly status: "incomparable" | "failed"; readonly why: string }
);

export interface ChangeSlice {
  readonly isComparing: boolean;
  /** The pair that the person chose. It applies while its later revision is shown. */
  readonly chosenPair: SequencePair | undefined;
  /** The layer that the person chose, for a pair in which several changed. */
  readonly comparedLayer: ProductId | undefined;
  /** Index of the threshold of each layer; 0 hides no change. */
  readonly changeThresholds: Readonly<Partial<Record<ProductId, number>>>;
  readonly comparedSide: ComparedSide;
  /** True while the person holds the key that shows the revision before. */
  readonly holdsBefore: boolean;
  /** Position of the swipe line from the left edge of the map, 0 to 1. */
  readonly swipeAt: number;
  /** Newest measurement, which may be of an earlier question. */
  readonly measuredChange: MeasuredChange | undefined;
  /** True if the timeline marks only the revisions that change the map's area. */
  readonly onlyViewChanges: boolean;
  /** Sequences of the revisions that change the map's area; undefined until they are counted. */
  readonly viewChanges: ReadonlySet<number> | undefined;
  /** Holds the picture, so that an arrival does not replace it. */
  readonly setComparing: (on: boolean) => void;
  /** Shows a revision with what it changed. */
  readonly showChange: (sequence: number) => void;
  /** Compares the wanted revision with another one; the later of the two is shown. */
  readonly compareWith: (sequence: number) => void;
  readonly setComparedLayer: (id: ProductId) => void;
  readonly setChangeThreshold: (id: ProductId, index: number) => void;
  readonly setComparedSide: (side: ComparedSide) => void;
  readonly setHoldsBefore: (holds: boolean) => void;
  readonly setSwipeAt: (position: number) => void;
  readonly receiveMeasuredChange: (measured: MeasuredChange) => void;
  readonly setOnlyViewChanges: (on: boolean) => void;
  readonly receiveViewChanges: (sequences: ReadonlySet<number>) => void;
}

/** The part of the slice that belongs to the chosen event. */
export const nothingCompared = {
  isComparing: false,
  chosenPair: undefined,
  comparedLayer: undefined,
  holdsBefore: false,
  measuredChange: undefined,
  viewChanges: undefined,
} as const;

export const createChangeSlice: StateCreator<
  ChangeSlice & PlayheadSlice & PlayheadView,
  [],
  [],
  ChangeSlice
> = (set, get) => ({
  ...nothingCompared,
  changeThresholds: {},
  comparedSide: "swipe",
  swipeAt: 0.5,
  onlyViewChanges: false,

  setComparing: (isComparing) => {
    const wanted = selectWantedSequence(get());
    if (isComparing && wanted !== undefined) get().goTo(wanted);
    set({ isComparing, holdsBefore: false });
  },

  showChange: (sequence) => {
    get().goTo(sequence);
    set({ isComparing: true, chosenPair: undefined });
  },

  compareWith: (sequence) => {
    const wanted = selectWantedSequence(get());
    if (wanted === undefined || wanted === sequence) return;
    const after = Math.max(wanted, sequence);
    get().goTo(after);
    set({ isComparing: true, chosenPair: { before: Math.min(wanted, sequence), after } });
  },

  setComparedLayer: (comparedLayer) => {
    set({ comparedLayer });
  },

  setChangeThreshold: (id, index) => {
    set(({ changeThresholds }) => ({ changeThresholds: { ...changeThresholds, [id]: index } }));
  },

  setComparedSide: (comparedSide) => {
    set({ comparedSide });
  },

  setHoldsBefore: (holdsBefore) => {
    if (get().holdsBefore !== holdsBefore) set({ holdsBefore });
  },

  setSwipeAt: (position) => {
    set({ swipeAt: Math.min(1, Math.max(0, position)) });
  },

  receiveMeasuredChange: (measuredChange) => {
    set({ measuredChange });
  },

  setOnlyViewChanges: (onlyViewChanges) => {
    set({ onlyViewChanges });
  },

  receiveViewChanges: (viewChanges) => {
    set({ viewChanges });
  },
});
