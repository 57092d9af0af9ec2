// The state of briefing mode: the steps of the chosen event, how they are kept, and the show while one runs.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ViewDifference } from "../../../shared/views/view-differences.ts";
import type { Show } from "./show.ts";
import type { Steps } from "./steps-edit.ts";

/** Relation of the steps on screen to those that are stored. */
export type Keeping =
  | { readonly kind: "kept" | "keeping" }
  /** Somebody else has changed the stored steps since they were read. */
  | { readonly kind: "conflict" }
  | { readonly kind: "failed"; readonly problem: string };

export interface BriefingState {
  /** True while the steps are open beside the map. */
  readonly isOpen: boolean;
  /** The event that the steps belong to; undefined before one is chosen. */
  readonly eventId: string | undefined;
  readonly phase: "reading" | "ready" | "failed";
  readonly steps: Steps;
  readonly keeping: Keeping;
  /** Id of the step whose title and notes are open. */
  readonly chosenId: string | undefined;
  /** Differences between the screen and the step opened last. */
  readonly differences: readonly ViewDifference[];
  readonly show: Show | undefined;
  /** True from the start of a show until the screen is again as it was before. */
  readonly isScreenTaken: boolean;
}

export type BriefingStore = StoreApi<BriefingState>;

export const noSteps = {
  phase: "reading",
  steps: [],
  keeping: { kind: "kept" },
  chosenId: undefined,
  differences: [],
} as const satisfies Partial<BriefingState>;

export function createBriefingStore(): BriefingStore {
  return createStore<BriefingState>()(() => ({
    isOpen: false,
    eventId: undefined,
    ...noSteps,
    show: undefined,
    isScreenTaken: false,
  }));
}
