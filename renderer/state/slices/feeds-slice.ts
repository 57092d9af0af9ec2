// How are the feeds of the host, as it said last?
import type { StateCreator } from "zustand";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { ReadPhase } from "../read-phase.ts";

export interface FeedsSlice {
  readonly feeds: {
    readonly phase: ReadPhase;
    readonly list: readonly FeedHealth[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly receiveFeeds: (list: readonly FeedHealth[]) => void;
  readonly failFeeds: (problem: ApiErrorCode) => void;
}

export const createFeedsSlice: StateCreator<FeedsSlice, [], [], FeedsSlice> = (set) => ({
  feeds: { phase: "loading", list: [], problem: undefined },

  receiveFeeds: (list) => {
    set({ feeds: { phase: "ready", list, problem: undefined } });
  },

  failFeeds: (problem) => {
    set(({ feeds }) => ({ feeds: { ...feeds, phase: "failed", problem } }));
  },
});
