import { expect, test } from "vitest";
import { toFeedState, type FeedFacts } from "./feed-state.ts";

const well: FeedFacts = {
  isStopped: false,
  wasChecked: true,
  hasLinkProblem: false,
  hasProcessingProblem: false,
  pendingWindows: 0,
  newestListedMs: 1_000_000,
  nowMs: 1_120_000,
};

test.each<[string, Partial<FeedFacts>]>([
  ["current", {}],
  ["current", { pendingWindows: 1 }],
  ["starting", { wasChecked: false }],
  ["stopped", { isStopped: true, hasLinkProblem: true }],
  ["link-down", { hasLinkProblem: true, hasProcessingProblem: true, pendingWindows: 9 }],
  ["link-down", { hasLinkProblem: true, wasChecked: false }],
  ["processing-failed", { hasProcessingProblem: true, pendingWindows: 9 }],
  ["catching-up", { pendingWindows: 2 }],
  ["source-idle", { nowMs: 1_000_000 + 600_001 }],
  ["source-idle", { newestListedMs: undefined }],
])("a feed is %s when %o", (state, facts) => {
  expect(toFeedState({ ...well, ...facts })).toBe(state);
});
